import { setTimeout as pause } from 'node:timers/promises'
import { hashLink } from '../../apps/server/src/areas/alarm/record-log.ts'
import { type LedgerSummary, readLedger } from '../simulator/ledger.ts'
import type { Access } from './fault-devices.ts'

/** Differences between the devices' ledger and the database. Each list names the offenders. */
export type ConsistencyReport = {
  counts: { sent: number; accepted: number; signals: number; records: number; logEntries: number; repeatsHeard: number }
  /** Z1: has a receipt and is not in the database. */
  lost: string[]
  /** Z2: one press in more than one record, or a record number twice. */
  doubled: string[]
  /** Z3: signals without a confirmation. */
  pending: string[]
  /** Signals in the database that no device sent. */
  invented: string[]
  /** A receipt names another record than the one of the press. */
  misnamed: string[]
  /** Z5, Z8: records whose event, timers or log differ from what raising a record writes. */
  incomplete: string[]
  /** Z6: receipts that were not sent yet. */
  unsent: string[]
  /** Z7: records with an invalid log chain. */
  broken: string[]
  /** Devices that never stopped sending and were reported lost. */
  offline: string[]
}

type SignalRow = { eventId: string; sn: string; recordId: number | null; no: string | null }

const signalsOf = async ({ pool }: Access, sns: string[]): Promise<SignalRow[]> => {
  const { rows } = await pool.query<SignalRow>(
    `select s.event_id as "eventId", d.sn, s.record_id as "recordId", r.no
     from signal s join device d on d.id = s.device_id left join warn_record r on r.id = s.record_id
     where d.sn = any($1) and s.kind in ('ALARM', 'EVENT', 'UNPARSABLE')`,
    [sns],
  )
  return rows
}

type Name = { name: string }
const names = async ({ pool }: Access, text: string): Promise<string[]> => {
  const { rows } = await pool.query<Name>(text)
  return rows.map(({ name }) => name)
}

/** The constraints against these faults are tested too, so the check counts by itself. */
const doubledRecords = (access: Access): Promise<string[]> =>
  names(
    access,
    `select 'open ' || dedup_key || ' ' || mode as name from warn_record
     where state in ('NEW', 'CLAIMED', 'HANDLING', 'ESCALATED') group by dedup_key, mode having count(*) > 1
     union all
     select 'number ' || no from warn_record group by no having count(*) > 1
     union all
     select 'count of ' || r.no from warn_record r
       left join lateral (select count(*) as n from warn_log l
         where l.record_id = r.id and l.kind = 'SIGNAL' and l.verb in ('signal', 'repeat')) l on true
     where r.occurrence_count <> l.n
     union all
     select 'log of ' || (payload->>'eventId') from warn_log
     where kind = 'SIGNAL' and verb in ('signal', 'repeat')
     group by record_id, payload->>'eventId' having count(*) > 1`,
  )

const incompleteRecords = (access: Access): Promise<string[]> =>
  names(
    access,
    `select 'announced ' || count(e.id) || ' times: ' || r.no as name
       from warn_record r left join event e on e.ref = r.id and e.type = 'alarm.raised'
       group by r.no having count(e.id) <> 1 or count(e.seq) <> 1
     union all
     select 'signals without log: ' || r.no from warn_record r
       join signal s on s.record_id = r.id
       left join warn_log l on l.record_id = r.id and l.kind = 'SIGNAL' and l.payload->>'eventId' = s.event_id
       group by r.no having count(*) <> count(l.id)
     union all
     select 'no timer: ' || r.no from warn_record r
       where not exists (select from timer t where t.kind = 'record' and t.subject_id = r.id)
     union all
     select 'event numbers have gaps' where (select count(seq) <> coalesce(max(seq), 0) from event)`,
  )

const calledLost = ({ pool }: Access, sns: string[]): Promise<string[]> =>
  pool
    .query<Name>(
      `select distinct d.sn as name from device d where d.sn = any($1) and (
         exists (select from device_connectivity c where c.device_id = d.id and c.to_state = 'OFFLINE')
         or exists (select from signal s where s.device_id = d.id and s.code = 'OFFLINE'))`,
      [sns],
    )
    .then(({ rows }) => rows.map(({ name }) => name))

/** Returns what remains after a while: a repeat on its way may request its receipt once more. */
const unsentReceipts = async (access: Access, patienceMs: number): Promise<string[]> => {
  const end = performance.now() + patienceMs
  for (;;) {
    const left = await names(access, `select key as name from device_outbox where channel = 'ack' and sent_at is null`)
    if (left.length === 0 || performance.now() > end) return left
    await pause(100)
  }
}

type LogRow = {
  recordId: number
  prevHash: Buffer
  hash: Buffer
  head: Buffer
  logCount: number
  no: number
  at: Date
  row: Record<string, unknown>
}

const logRows = async ({ pool }: Access): Promise<LogRow[]> => {
  const { rows } = await pool.query<LogRow>(
    `select l.record_id as "recordId", l.prev_hash as "prevHash", l.hash, r.log_hash as head,
       r.log_count as "logCount", l.no, l.at,
       json_build_object('recordId', l.record_id, 'no', l.no, 'kind', l.kind, 'verb', l.verb, 'actorId', l.actor_id,
         'actorName', l.actor_name, 'fromState', l.from_state, 'toState', l.to_state, 'payload', l.payload,
         'schoolId', l.school_id, 'deptId', l.dept_id) as row
     from warn_log l join warn_record r on r.id = l.record_id order by l.record_id, l.no`,
  )
  return rows
}

/** Recomputes every chain from its rows (DESIGN 7). @returns ids of records with an invalid chain */
const brokenChains = (rows: readonly LogRow[]): string[] => {
  const broken = new Set<string>()
  for (const [recordId, links] of Map.groupBy(rows, (row) => row.recordId)) {
    let prev: Buffer = Buffer.alloc(0)
    links.forEach(({ no, at, row, prevHash, hash }, index) => {
      const right = no === index + 1 && prevHash.equals(prev)
      if (!right || !hashLink(prev, { ...row, at: at.getTime() }).equals(hash)) broken.add(String(recordId))
      prev = hash
    })
    const last = links.at(-1)
    if (last && (last.logCount !== links.length || !last.head.equals(last.hash))) broken.add(String(recordId))
  }
  return [...broken]
}

type Compared = Pick<ConsistencyReport, 'lost' | 'doubled' | 'invented' | 'misnamed'>

const compare = (ledger: LedgerSummary, signals: readonly SignalRow[]): Compared => {
  const found = Map.groupBy(signals, (signal) => signal.eventId)
  const result: Compared = { lost: [], doubled: [...ledger.conflicting], invented: [], misnamed: [] }
  for (const [eventId, { receipts }] of ledger.events) {
    const rows = found.get(eventId) ?? []
    const [row] = rows
    if (receipts.length > 0 && !row) result.lost.push(eventId)
    if (rows.length > 1) result.doubled.push(eventId)
    if (row && receipts.some(({ recordNo }) => recordNo !== undefined && recordNo !== row.no))
      result.misnamed.push(eventId)
  }
  for (const eventId of found.keys()) if (!ledger.events.has(eventId)) result.invented.push(eventId)
  result.invented.push(...ledger.strange)
  return result
}

/** Checks after the faults have ended and the devices have no unconfirmed event (trust 3.1, Z1 to Z8). */
export const checkConsistency = async (
  access: Access,
  ledgerFile: string,
  outboxMs = 30_000,
): Promise<ConsistencyReport> => {
  const unsent = await unsentReceipts(access, outboxMs)
  const ledger = readLedger(ledgerFile)
  const sns = [...new Set([...ledger.events.values()].map(({ sent }) => sent.sn))]
  const signals = await signalsOf(access, sns)
  const log = await logRows(access)
  const compared = compare(ledger, signals)
  const records = new Set(log.map((row) => row.recordId)).size
  const receipts = [...ledger.events.values()].reduce((sum, event) => sum + event.receipts.length, 0)
  return {
    counts: {
      sent: ledger.sent,
      accepted: ledger.accepted,
      signals: signals.length,
      records,
      logEntries: log.length,
      repeatsHeard: receipts - ledger.accepted,
    },
    ...compared,
    doubled: [...compared.doubled, ...(await doubledRecords(access))],
    pending: ledger.pending,
    incomplete: await incompleteRecords(access),
    unsent,
    broken: brokenChains(log),
    offline: await calledLost(access, sns),
  }
}

/** The report of a run that passes; compare it with `violations(report)`. */
export const cleanReport: Omit<ConsistencyReport, 'counts'> = {
  lost: [],
  doubled: [],
  pending: [],
  invented: [],
  misnamed: [],
  incomplete: [],
  unsent: [],
  broken: [],
  offline: [],
}

export const violations = (result: ConsistencyReport): Omit<ConsistencyReport, 'counts'> => {
  const { counts: _counts, ...found } = result
  return found
}

/** Prints the trials, and lost and doubled presses with the upper bound that so many trials allow (rule of three). */
export const report = (title: string, result: ConsistencyReport): void => {
  const { sent, accepted, signals, records, logEntries, repeatsHeard } = result.counts
  console.log(
    [
      `${title}: ${sent} sent, ${accepted} accepted, ${signals} signals, ${records} records, ${logEntries} log entries,`,
      `${repeatsHeard} further receipts; lost ${result.lost.length}, doubled ${result.doubled.length}`,
      `(below 1 in ${Math.max(1, Math.floor(accepted / 3))} at 95 %)`,
    ].join(' '),
  )
}
