import type { JobHandler } from '#jobs/run'
import { checkSheet } from './check.ts'
import { commitAll, commitGood } from './commit.ts'
import { type AnyImporter, type ImportData, isChecked, loadImporter } from './importer.ts'

/** What the worker does for an import: checks, and writes when that was asked. */
const importJob =
  (importer: AnyImporter): JobHandler =>
  async (run) => {
    const data = run.job.data as ImportData
    const item = await loadImporter(run.db, run.job)
    if (!isChecked(run.job.counts)) {
      const counts = await checkSheet(run, { importer, data, who: item })
      await run.hold(run.db, { counts })
      run.job.counts = counts
    }
    const { counts } = run.job
    const { create = 0, update = 0, same = 0, bad = 0 } = counts
    const lines = create + update + same + bad
    if (!data.commit) return { state: 'READY', counts, done: lines, total: lines }
    return data.all
      ? commitAll(run, { importer, data, who: item })
      : { state: 'DONE', counts: await commitGood(run, importer) }
  }

/** One entry of `jobHandlers` for each importer. */
export const importJobs = (importer: AnyImporter): Record<string, JobHandler> => ({
  [importer.jobName]: importJob(importer),
})
