import pg from 'pg'

/**
 * Detects writes: a trigger on every table stores the table's name inside the writing transaction, so that the name is
 * there exactly when the write was committed, and never after a rollback.
 * @param owner connection of the database owner, who owns the tables
 */
export const openWriteDetector = async (owner: pg.ClientConfig) => {
  const client = new pg.Client(owner)
  await client.connect()
  await client.query(`
    create schema write_detector;
    create table write_detector.note (name text not null);
    create function write_detector.record() returns trigger language plpgsql security definer as $$
      begin
        insert into write_detector.note values (tg_table_name);
        return null;
      end $$;
    grant usage on schema write_detector to public;
    do $$ declare name text; begin
      for name in select tablename from pg_tables where schemaname = 'public' and tablename not in
        (select inhrelid::regclass::text from pg_inherits)
      loop
        execute format(
          'create trigger record_write after insert or update or delete on %I for each row execute function write_detector.record()', name
        );
      end loop;
    end $$`)
  return {
    /** Names of the tables written since the last call. */
    written: async (): Promise<string[]> => {
      const { rows } = await client.query<{ name: string }>('delete from write_detector.note returning name')
      // Partition names start with the name of their table.
      return [...new Set(rows.map(({ name }) => name.replace(/_(rest|\d{6})$/, '')))].sort()
    },
    close: () => client.end(),
  }
}
export type WriteDetector = Awaited<ReturnType<typeof openWriteDetector>>
