import { cpus, loadavg } from 'node:os'
import { benchDesks } from './desks.ts'
import { type Figure, lineOf } from './figures.ts'
import { benchIdle } from './idle.ts'
import { benchIngest } from './ingest.ts'
import { benchLatency } from './latency.ts'
import { openStage, type Stage } from './stage.ts'

const benches: Record<string, (stage: Stage) => Promise<Figure[]>> = {
  ingest: benchIngest,
  latency: benchLatency,
  idle: benchIdle,
  desks: benchDesks,
}

const load = (): string =>
  loadavg()
    .map((value) => value.toFixed(2))
    .join(' ')

const run = async (name: string, bench: (stage: Stage) => Promise<Figure[]>): Promise<void> => {
  const before = load()
  const stage = await openStage()
  try {
    const figures = await bench(stage)
    const version = `Node ${process.version}, PostgreSQL ${stage.postgres}`
    console.log(`\n## ${name}: ${version}, ${cpus().length} processors, load before ${before}, after ${load()}\n`)
    for (const figure of figures) console.log(lineOf(figure))
  } finally {
    await stage.end()
  }
}

const [wanted = 'all', ...more] = process.argv.slice(2)
if ((wanted !== 'all' && !(wanted in benches)) || more.length > 0) {
  console.error(`Usage: npm run bench [-- ${Object.keys(benches).join('|')}|all]`)
  process.exit(2)
}
for (const [name, bench] of Object.entries(benches)) if (wanted === 'all' || wanted === name) await run(name, bench)
