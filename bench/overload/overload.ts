import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { embedded } from '../../tools/fault/fault-setup.ts'
import type { BenchServer } from '../bench-server.ts'
import type { BenchFigure } from '../figures.ts'
import { type Flood, FLOOD_EVENT_ID, openFlood } from './flood.ts'

const FREEZE_MS = 18_000
const QUICK_FREEZE_MS = 2000
const SAMPLE_MS = 100
/** How long the copies may take that wait when the database is back. */
const DRAIN_MS = 60_000

const parentOf = (pid: number): number => {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return Number(text.slice(text.lastIndexOf(')') + 2).split(' ')[1])
  } catch {
    // The process ended while the list was read.
    return 0
  }
}

/** The server's PostgreSQL: the postmaster first, so that it starts no further process. */
const postgresProcesses = (dataDir: string): number[] => {
  const { pid } = embedded(dataDir)
  const processes = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return [pid, ...processes.map(Number).filter((child) => parentOf(child) === pid)]
}

const signalAll = (processes: readonly number[], signal: NodeJS.Signals): void => {
  for (const pid of processes) {
    try {
      process.kill(pid, signal)
    } catch {
      // It ended by itself.
    }
  }
}

/** Stops PostgreSQL as a frozen machine does: its connections stay open and nothing answers. */
const freezeDatabase = async (dataDir: string, ms: number): Promise<void> => {
  const processes = postgresProcesses(dataDir)
  const thaw = () => signalAll(processes, 'SIGCONT')
  // A stopped process cannot be ended by the server's own stop.
  process.once('exit', thaw)
  signalAll(processes, 'SIGSTOP')
  try {
    await pause(ms)
  } finally {
    thaw()
    process.off('exit', thaw)
  }
}

/** Until every copy has its PUBACK and the alarm its receipt, the link breaks, or the time is over. */
const awaitAnswers = async (flood: Flood): Promise<number> => {
  const begin = performance.now()
  const isWaiting = () => flood.isOpen() && (flood.acknowledged() < flood.sent() || flood.receipts() === 0)
  while (isWaiting() && performance.now() - begin < DRAIN_MS) await pause(SAMPLE_MS)
  return performance.now() - begin
}

const sampleMemory = ({ memory, node }: BenchServer) => {
  const before = memory()
  let largest = before
  const timer = setInterval(() => {
    if (node.running()) largest = Math.max(largest, memory())
  }, SAMPLE_MS)
  return { before, largest: () => largest, stop: () => clearInterval(timer) }
}

const countRows = async ({ access }: BenchServer, from: string, values: string[] = []): Promise<number> => {
  const { rows } = await access.pool.query<{ count: number }>(`select count(*)::int as count from ${from}`, values)
  return rows[0]?.count ?? 0
}

/** One device repeats one alarm without waiting for its answer while the database stands still. */
export const benchOverload = async (
  stage: BenchServer,
  show: (figure: BenchFigure) => void,
  isQuick: boolean,
): Promise<void> => {
  const [device] = await stage.devices(1)
  if (!device) throw new Error('no device was created')
  const flood = await openFlood(stage.node.mqtt, device)
  const sample = sampleMemory(stage)
  flood.start()
  await freezeDatabase(stage.dataDir, isQuick ? QUICK_FREEZE_MS : FREEZE_MS)
  flood.stop()
  const drainMs = await awaitAnswers(flood)
  sample.stop()
  const showOne = (name: string, unit: string, value: number) => show({ name, unit, runs: [value] })
  showOne('resident memory before', 'MB', sample.before)
  showOne('largest resident memory', 'MB', sample.largest())
  showOne('copies that the link took', 'copies', flood.sent())
  showOne('copies answered by PUBACK', 'copies', flood.acknowledged())
  showOne('until then, after the database went on', 's', drainMs / 1000)
  showOne('receipts', 'receipts', flood.receipts())
  showOne('link still open', 'links', Number(flood.isOpen()))
  showOne('server still running', 'servers', Number(stage.node.running()))
  showOne('signals stored', 'rows', await countRows(stage, 'signal where event_id = $1', [FLOOD_EVENT_ID]))
  const alarms = await countRows(stage, 'warn_record')
  showOne('alarms', 'rows', alarms)
  flood.close()
  if (alarms !== 1) throw new Error(`one press raised ${alarms} alarms`)
}
