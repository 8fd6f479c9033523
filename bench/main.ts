import { cpus, loadavg } from 'node:os'
import { buildWhenStale } from '../e2e/setup/build.ts'
import { benchDispatch } from './phone/dispatch.ts'
import { benchFanout } from './fanout.ts'
import { type BenchFigure, formatFigure } from './figures.ts'
import { benchExports } from './exports.ts'
import { benchIdle } from './idle.ts'
import { benchIngest } from './ingest.ts'
import { benchLatency } from './latency.ts'
import { benchLists } from './lists.ts'
import { benchLoad } from './page/load.ts'
import { benchMap } from './page/map.ts'
import { benchPlan } from './page/plan.ts'
import type { BenchServer } from './bench-server.ts'
import { benchOverload } from './overload/overload.ts'
import { findBenchStart } from './overload/other-version.ts'
import { benchImports } from './register/imports.ts'
import { benchDashboards } from './city/dashboards.ts'
import { benchDuty } from './city/duty.ts'
import { benchReadiness } from './city/readiness.ts'
import { benchRollup } from './city/rollup.ts'
import { benchTimers } from './timers.ts'

/** `isQuick`: small numbers, to see that it works; its figures mean nothing. */
type Bench = (stage: BenchServer, show: (figure: BenchFigure) => void, isQuick: boolean) => Promise<void>

const benches: Record<string, Bench> = {
  ingest: benchIngest,
  latency: benchLatency,
  idle: benchIdle,
  desks: benchFanout,
  exports: benchExports,
  imports: benchImports,
  lists: benchLists,
  steps: benchTimers,
  load: benchLoad,
  map: benchMap,
  plan: benchPlan,
  dispatch: benchDispatch,
  duty: benchDuty,
  readiness: benchReadiness,
  dashboards: benchDashboards,
  rollup: benchRollup,
  overload: benchOverload,
}
/** Benches that know small numbers. */
const hasQuick = new Set(['map', 'plan', 'dispatch', 'duty', 'readiness', 'dashboards', 'rollup', 'overload'])
/** Benches that also run on the server of another version, a folder beside this one. */
const hasServer = new Set(['overload'])

const [wanted = 'all', ...options] = process.argv.slice(2)
const isQuick = options[0] === 'quick'
const rest = isQuick ? options.slice(1) : options
const [server, more] = rest[0] === '--server' ? [rest[1], rest.slice(2)] : [undefined, rest]

const load = (): string =>
  loadavg()
    .map((value) => value.toFixed(2))
    .join(' ')

const run = async (name: string, bench: Bench): Promise<void> => {
  buildWhenStale()
  const start = await findBenchStart(server)
  const stage = await start()
  try {
    const version = `Node ${process.version}, PostgreSQL ${stage.postgres}`
    console.log(`\n## ${name}: ${version}, ${cpus().length} processors, load before ${load()}\n`)
    await bench(stage, (figure) => console.log(formatFigure(figure)), isQuick)
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

const isKnown = wanted === 'all' || wanted in benches
const isServerMeant = rest.length === 0 || (server !== undefined && hasServer.has(wanted))
if (!isKnown || more.length > 0 || (isQuick && !hasQuick.has(wanted)) || !isServerMeant) {
  console.error(
    `Usage: npm run bench [-- ${Object.keys(benches).join('|')}|all], or ${[...hasQuick].join(' quick, ')} quick,\n` +
      `${[...hasServer].join(', ')} also with --server FOLDER, the checkout of another version`,
  )
  process.exit(2)
}
for (const [name, bench] of Object.entries(benches)) if (wanted === 'all' || wanted === name) await run(name, bench)
