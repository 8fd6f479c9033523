import { openPool } from '../../apps/server/src/db/db.ts'
import { embedded } from '../../tools/fault/fault-setup.ts'
import type { BenchServer } from '../bench-server.ts'
import type { BenchFigure } from '../figures.ts'
import { maxThroughput } from '../load.ts'
import { openRawDevices } from '../raw-devices.ts'

const WIDTH = 500
const WINDOW = 64
const RUNS = 9
const COUNT = 2000
const QUICK_RUNS = 2
const QUICK_COUNT = 200

const newRuns = () => ({ rate: [] as number[], postgres: [] as number[], server: [] as number[] })

/** Measures new records in turns with the stored days and without: then no trigger notes a change, and none is counted. */
export const benchRollup = async (
  stage: BenchServer,
  show: (figure: BenchFigure) => void,
  isQuick: boolean,
): Promise<void> => {
  const pool = openPool({ ...embedded(stage.dataDir).owner, user: 'postgres', max: 1 }, 120)
  const crowd = await openRawDevices(stage.node.mqtt, await stage.devices(WIDTH))
  const results = { with: newRuns(), without: newRuns() }
  const count = isQuick ? QUICK_COUNT : COUNT
  for (let run = 0; run <= (isQuick ? QUICK_RUNS : RUNS); run += 1)
    for (const way of run % 2 === 0 ? (['with', 'without'] as const) : (['without', 'with'] as const)) {
      await pool.query(`alter table warn_record ${way === 'with' ? 'enable' : 'disable'} trigger user`)
      await stage.closeRecords()
      const before = stage.processor()
      const { perSecond } = await maxThroughput(crowd, { count, window: WINDOW, fresh: true })
      const after = stage.processor()
      // The first is the warm-up.
      if (run === 0) continue
      results[way].rate.push(perSecond)
      results[way].postgres.push((after.postgres - before.postgres) / count)
      results[way].server.push((after.server - before.server) / count)
    }
  for (const way of ['with', 'without'] as const) {
    show({ name: `new records ${way} stored days`, unit: '/s', runs: results[way].rate })
    show({ name: `${way}, processor of the postgres`, unit: 'ms each', runs: results[way].postgres })
    show({ name: `${way}, processor of the server`, unit: 'ms each', runs: results[way].server })
  }
  await crowd.close()
  await pool.end()
}
