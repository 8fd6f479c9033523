import { afterAll, beforeAll, expect, it } from 'vitest'
import { type JobFixture, openJobFixture, workbook } from '../../../../test/job-fixture.ts'
import { importJobs } from '#areas/files/import/job'
import { importRoutes } from '#areas/files/import/routes'
import { unscoped } from '#db/scope'
import { runJob } from '#jobs/run'
import { calendarImporter } from './calendar-importer.ts'

let fixture: JobFixture
beforeAll(async () => {
  fixture = await openJobFixture((db) => importRoutes(db, calendarImporter))
  await fixture.stopWorker()
})
afterAll(() => fixture.close())

const imported = async (rows: (string | null)[][], query: string) => {
  const file = await workbook(rows, ['日期', '类型', '名称'])
  const { data } = await fixture.send(file, query, 'admin', '/school/calendar/import')
  const job = { id: Number(data.id), stopping: new AbortController().signal }
  await runJob(fixture.db, importJobs(calendarImporter), job)
  return fixture.job(job.id)
}
const stored = () =>
  unscoped(fixture.db, 'tests look at every row')
    .selectFrom('schoolCalendarDay')
    .select(['day', 'kind', 'name', 'official'])
    .where('day', '>=', '2031-01-01')
    .orderBy('day')
    .execute()

it('imports holidays of a spreadsheet, names wrong cells and updates existing days on request', async () => {
  const bad = await imported(
    [
      ['2031-01-01', '玩', '元旦'],
      ['31-13-99', '放假', null],
    ],
    'dryRun=true',
  )
  expect(bad).toMatchObject({ counts: { bad: 2 } })
  await imported(
    [
      ['2031-01-01', '放假', '元旦'],
      ['2031-01-04', '补课', null],
    ],
    '',
  )
  expect(await stored()).toEqual([
    { day: '2031-01-01', kind: 'HOLIDAY', name: '元旦', official: false },
    { day: '2031-01-04', kind: 'MAKEUP', name: null, official: false },
  ])
  await imported([['2031-01-01', '考试', '期末']], 'updateSupport=true')
  expect((await stored())[0]).toMatchObject({ kind: 'EXAM', name: '期末' })
})
