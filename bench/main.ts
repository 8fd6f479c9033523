import { cpus, loadavg } from 'node:os'
import { buildWhenStale } from '../e2e/setup/build.ts'
import { benchFanout } from './fanout.ts'
import { type BenchFigure, formatFigure } from './figures.ts'
import { benchExports } from './exports.ts'
import { benchIdle } from './idle.ts'
import { benchIngest } from './ingest.ts'
import { benchLatency } from './latency.ts'
import { benchLists } from './lists.ts'
import { benchLoad } from './page/load.ts'
import { startBenchServer, type BenchServer } from './bench-server.ts'
import { benchTimers } from './timers.ts'

type Bench = (stage: BenchServer, show: (figure: BenchFigure) => void) => Promise<void>

const benches: Record<string, Bench> = {
  ingest: benchIngest,
  latency: benchLatency,
  idle: benchIdle,
  desks: benchFanout,
  exports: benchExports,
  lists: benchLists,
  steps: benchTimers,
  load: benchLoad,
}

const load = (): string =>
  loadavg()
    .map((value) => value.toFixed(2))
    .join(' ')

const run = async (name: string, bench: Bench): Promise<void> => {
  buildWhenStale()
  const stage = await startBenchServer()
  try {
    const version = `Node ${process.version}, PostgreSQL ${stage.postgres}`
    console.log(`\n## ${name}: ${version}, ${cpus().length} processors, load before ${load()}\n`)
    await bench(stage, (figure) => console.log(formatFigure(figure)))
    console.log(`\nload after ${load()}`)
  } catch (error) {
    console.error(stage.node.output().slice(-4000))
    throw error
  } finally {
    await stage.end()
  }
}

// Exits through exit(), where the bench server is stopped.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))

const [wanted = 'all', ...more] = process.argv.slice(2)
if ((wanted !== 'all' && !(wanted in benches)) || more.length > 0) {
  console.error(`Usage: npm run bench [-- ${Object.keys(benches).join('|')}|all]`)
  process.exit(2)
}
for (const [name, bench] of Object.entries(benches)) if (wanted === 'all' || wanted === name) await run(name, bench)
