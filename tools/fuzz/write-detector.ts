import pg from 'pg'

/**
 * Watches what is written: a trigger on every table notes the table's name inside the writing transaction, so that a
 * note is there exactly when the write was committed, and never for one that was rolled back.
 * @param owner of the database: the tables are his.
 */
export const openWriteDetector = async (owner: pg.ClientConfig) => {
  const client = new pg.Client(owner)
  await client.connect()
  await client.query(`
    create schema witness;
    create table witness.note (name text not null);
    create function witness.see() returns trigger language plpgsql security definer as $$
      begin
        insert into witness.note values (tg_table_name);
        return null;
      end $$;
    grant usage on schema witness to public;
    do $$ declare name text; begin
      for name in select tablename from pg_tables where schemaname = 'public' and tablename not in
        (select inhrelid::regclass::text from pg_inherits)
      loop
        execute format(
          'create trigger seen after insert or update or delete on %I for each row execute function witness.see()', name
        );
      end loop;
    end $$`)
  return {
    /** Names of the tables that were written since the last time. */
    written: async (): Promise<string[]> => {
      const { rows } = await client.query<{ name: string }>('delete from witness.note returning name')
      // A partition is named after its table.
      return [...new Set(rows.map(({ name }) => name.replace(/_(rest|\d{6})$/, '')))].sort()
    },
    close: () => client.end(),
  }
}
export type WriteDetector = Awaited<ReturnType<typeof openWriteDetector>>
