import { closeSync, fdatasyncSync, openSync, readFileSync, writeSync } from 'node:fs'
import { AckStage } from '@tocsin/protocol/ack'
import { z } from 'zod'
import { sortedPercentile } from './counters.ts'

const Sent = z.object({
  kind: z.literal('sent'),
  at: z.int(),
  channel: z.enum(['alarm', 'event']),
  eventId: z.string(),
  productKey: z.string(),
  sn: z.string(),
  what: z.string(),
  mode: z.enum(['LIVE', 'TEST']),
  boot: z.int(),
  seq: z.int(),
})
const Received = z.object({
  kind: z.literal('receipt'),
  at: z.int(),
  eventId: z.string(),
  sn: z.string(),
  stage: AckStage,
  via: z.enum(['mqtt', 'http', 'puback']),
  recordNo: z.string().optional(),
  latencyMs: z.number(),
})
const Line = z.discriminatedUnion('kind', [Sent, Received])
export type SentLine = z.output<typeof Sent>
export type ReceiptLine = z.output<typeof Received>

export type Ledger = { write(line: SentLine | ReceiptLine): void; close(): void }

/**
 * The events of the devices, recorded apart from the server: one JSON line each, written by the time `write` returns,
 * so that it survives a kill of this process; with `fsync` also a power cut.
 */
export const openLedger = (path: string, { fsync = false } = {}): Ledger => {
  const file = openSync(path, 'a', 0o600)
  return {
    write: (line) => {
      writeSync(file, `${JSON.stringify(line)}\n`)
      if (fsync) fdatasyncSync(file)
    },
    close: () => closeSync(file),
  }
}

export type LedgerSummary = {
  sent: number
  accepted: number
  /** Events that were sent and not accepted. */
  pending: string[]
  /** Has a receipt though never sent: a server that invents alarms, or a mixed-up ledger. */
  strange: string[]
  /** Events with receipts of different record numbers, so one press became two records. */
  conflicting: string[]
  /** Latency of alarms from the first sending to the first `accepted` receipt. */
  latencyMs: { p50: number; p99: number; max: number }
  byStage: Record<string, number>
  events: Map<string, { sent: SentLine; receipts: ReceiptLine[] }>
}

/** A last line cut short by a kill counts as not written; any other broken line is an error that names its number. */
export const readLedger = (path: string): LedgerSummary => {
  const events: LedgerSummary['events'] = new Map()
  const strange = new Set<string>()
  const byStage: Record<string, number> = {}
  for (const line of readLines(path)) {
    const known = events.get(line.eventId)
    if (line.kind === 'sent') {
      if (known) throw new Error(`${path}: event ${line.eventId} was sent for the first time twice`)
      events.set(line.eventId, { sent: line, receipts: [] })
      continue
    }
    byStage[line.stage] = (byStage[line.stage] ?? 0) + 1
    if (known) known.receipts.push(line)
    else strange.add(line.eventId)
  }
  return { ...summarise(events), strange: [...strange], byStage, events }
}

const summarise = (events: LedgerSummary['events']) => {
  const pending: string[] = []
  const conflicting: string[] = []
  const latencies: number[] = []
  for (const [eventId, { sent, receipts }] of events) {
    const first = receipts.find((receipt) => receipt.stage === 'accepted')
    if (!first) pending.push(eventId)
    else if (sent.channel === 'alarm') latencies.push(first.latencyMs)
    if (new Set(receipts.flatMap((receipt) => receipt.recordNo ?? [])).size > 1) conflicting.push(eventId)
  }
  latencies.sort((a, b) => a - b)
  const latencyMs = {
    p50: sortedPercentile(latencies, 50),
    p99: sortedPercentile(latencies, 99),
    max: latencies.at(-1) ?? 0,
  }
  return { sent: events.size, accepted: events.size - pending.length, pending, conflicting, latencyMs }
}

const readLines = (path: string): (SentLine | ReceiptLine)[] => {
  const text = readFileSync(path, 'utf8')
  const rows = text.slice(0, text.lastIndexOf('\n') + 1).split('\n')
  return rows.flatMap((row, index) => {
    if (row === '') return []
    const line = Line.safeParse(parse(row))
    if (!line.success) throw new Error(`${path}: line ${index + 1} is not a ledger line`)
    return line.data
  })
}

const parse = (row: string): unknown => {
  try {
    return JSON.parse(row)
  } catch {
    return undefined
  }
}
