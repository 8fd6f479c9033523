import type { BenchServer } from '../bench-server.ts'

type Pool = BenchServer['access']['pool']

/** Signals for each record; none leaves most of the disk free. */
const EACH = Number(process.env['BENCH_SIGNALS'] ?? 10)
/** Records at a time. */
const SLICE = 500_000
const GB = 1024 ** 3

/** Indexes that are slower to maintain row by row than to build at the end. */
const listIndexes = async (pool: Pool): Promise<{ name: string; definition: string }[]> => {
  const { rows } = await pool.query<{ name: string; definition: string }>(
    `select indexname as name, indexdef as definition from pg_indexes
     where tablename = 'signal' and indexname not in (select conname from pg_constraint)`,
  )
  return rows
}

/** Signals of the records with these ids, of the devices of their school. */
const INSERT = `
  insert into signal (device_id, event_id, kind, code, mode, boot, seq, occurred_at, received_at, skew_ms, press_count,
    body, via, school_id, dept_id, record_id)
  select device.id, lpad(record.id || '-' || n, 36, '0'), 'ALARM', record.code, record.mode, 1, record.id * ${EACH} + n,
    record.first_at + make_interval(secs => n), record.first_at + make_interval(secs => n), 40, n,
    '{"press":{"count":1,"holdMs":800}}', 'MQTT', record.school_id, record.dept_id, record.id
  from warn_record record
  join (
    select id, school_id, row_number() over (partition by school_id order by id) as no,
      count(*) over (partition by school_id) as devices
    from device
  ) device on device.school_id = record.school_id and device.no = 1 + record.id % device.devices
  cross join generate_series(1, ${EACH}) n
  where record.no like 'BENCH%' and record.id >= $1 and record.id < $2`

/** Signals for each record of the bench. Needs a superuser. */
export const fillSignals = async (pool: Pool): Promise<void> => {
  if (EACH === 0) return
  const indexes = await listIndexes(pool)
  const { rows } = await pool.query<{ first: number; last: number }>(
    `select min(id)::float8 as first, max(id)::float8 as last from warn_record where no like 'BENCH%'`,
  )
  const { first = 0, last = 0 } = rows[0] ?? {}
  const client = await pool.connect()
  try {
    await client.query("set maintenance_work_mem = '1GB'")
    // Foreign keys are checked row by row, and these rows come from what they refer to.
    await client.query('set session_replication_role = replica')
    for (const { name } of indexes) await client.query(`drop index ${name}`)
    await client.query('alter table signal drop constraint signal_event_key')
    // In slices, so that no statement reaches its timeout.
    for (let from = first; from <= last; from += SLICE) await client.query(INSERT, [from, from + SLICE])
    await client.query('alter table signal add constraint signal_event_key unique (device_id, event_id)')
    for (const { definition } of indexes) await client.query(definition)
  } finally {
    await client.query('reset session_replication_role')
    client.release()
  }
  await pool.query('vacuum analyze signal')
}

/** How large the filled tables are, with their indexes. */
export const describeSizes = async (pool: Pool): Promise<string> => {
  const { rows } = await pool.query<{ name: string; rows: string; bytes: string }>(
    `select relname as name, greatest(reltuples, 0)::bigint as rows, pg_total_relation_size(oid) as bytes
     from pg_class where relname in ('warn_record', 'signal', 'alarm_day', 'alarm_day_total') order by relname`,
  )
  return rows
    .map(({ name, rows: count, bytes }) => `${name}: ${count} rows, ${(Number(bytes) / GB).toFixed(2)} GB`)
    .join('\n')
}
