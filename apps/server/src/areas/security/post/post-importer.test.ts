import { codes } from '@tocsin/contract/codes'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeUser } from '../../../../seed/fixtures.ts'
import { type JobFixture, openJobFixture, workbook } from '../../../../test/job-fixture.ts'
import { importJobs } from '#areas/files/import/job'
import { importRoutes } from '#areas/files/import/routes'
import { unscoped } from '#db/scope'
import { runJob } from '#jobs/run'
import { createMinuteReader, readEquipment, readWeekdays } from './post-cells.ts'
import { postImporter } from './post-importer.ts'

let fixture: JobFixture
let hallId: number
beforeAll(async () => {
  fixture = await openJobFixture((db) => importRoutes(db, postImporter))
  await fixture.stopWorker()
  const addPlace = async (name: string, parentId: number | null) => {
    const values = {
      schoolId: fixture.eastSchool.id,
      name,
      parentId,
      kind: parentId === null ? 'BUILDING' : 'ROOM',
    } as const
    return (await all().insertInto('place').values(values).returning('id').executeTakeFirstOrThrow()).id
  }
  const building = await addPlace('教学楼', null)
  hallId = await addPlace('大厅', building)
  for (const parent of [building, await addPlace('食堂', null)]) await addPlace('值班室', parent)
})
afterAll(() => fixture.close())

const all = () => unscoped(fixture.db, 'tests look at every row')
const HEADS = ['岗位', '类型', '学校', '位置', '星期', '上岗时间', '下班时间', '应到人数', '装备', '启用']
type Cells = (string | null)[]
const imported = async (rows: Cells[], query: string, as: Parameters<JobFixture['send']>[2] = 'admin') => {
  const { data, code } = await fixture.send(await workbook(rows, HEADS), query, as, '/security/post/import')
  if (code !== 200) return { code, counts: {}, id: 0 }
  const job = { id: Number(data.id), stopping: new AbortController().signal }
  await runJob(fixture.db, importJobs(postImporter), job)
  return { code, ...(await fixture.job(job.id, as)) }
}
const reasonsOf = async (id: number) => {
  const response = await fetch(`${fixture.base}/security/post/import-rows?id=${id}&pageSize=50`, {
    headers: fixture.bearer('admin'),
  })
  const { data } = (await response.json()) as {
    data: { list: { line: number; reasons: { field: string; message: string; messageEn: string }[] }[] }
  }
  return data.list.map(({ reasons }) => reasons)
}
const stored = () =>
  all()
    .selectFrom('securityPost')
    .select(['name', 'type', 'schoolId', 'deptId', 'placeId', 'weekdays', 'fromMin', 'toMin', 'headcount'])
    .select(['equipment', 'enabled', 'version'])
    .orderBy('id')
    .execute()

describe('import of posts', () => {
  it('names the cell and the rule of each error, and writes nothing', async () => {
    const school = fixture.eastSchool.name
    const rows: Cells[] = [
      ['东门', '岗亭', school, null, '每天', '07:00', '19:00', '2', null, null],
      ['东门', '门卫', '没有的学校', null, '每天', '07:00', '19:00', '2', null, null],
      ['东门', '门卫', school, '没有的楼', '每天', '07:00', '19:00', '2', null, null],
      ['西门', '门卫', school, '值班室', '每天', '07:00', '19:00', '2', null, null],
      ['南门', '席位', school, null, '周八', '25:00', '24:00', '0', '2', null],
      ['北门', '门卫', school, null, '每天', '07:00', null, '2', null, null],
      ['北门', '门卫', school, null, '每天', '07:00', '19:00', '2', null, null],
    ]
    const job = await imported(rows, 'dryRun=true')
    expect(job).toMatchObject({ counts: { create: 0, bad: 7 } })
    const reasons = await reasonsOf(job.id)
    expect(reasons.map((row) => row.map(({ field }) => field))).toEqual([
      ['type'],
      ['schoolId'],
      ['name', 'place'],
      ['place'],
      ['type', 'weekdays', 'fromMin', 'headcount', 'equipment'],
      ['toMin'],
      ['name'],
    ])
    expect(reasons[2]?.[1]).toMatchObject({
      message: '学校没有位置【没有的楼】',
      messageEn: 'The school has no place 没有的楼',
    })
    expect(reasons[3]?.[0]?.message).toContain('不唯一')
    expect(await stored()).toEqual([])
  })

  it('previews posts, creates them with place, hours and equipment, and changes them on request', async () => {
    const { name: east, id: schoolId } = fixture.eastSchool
    const rows: Cells[] = [
      ['东门', '门卫', east, '教学楼/大厅', '周一–周五', '7:00', '19:00', '2', '盾牌 2、头盔1/3', null],
      ['夜巡', 'Patrol', fixture.westSchool.code, null, 'daily', '19:00', '24:00', '1', null, '否'],
    ]
    expect(await imported(rows, 'dryRun=true')).toMatchObject({ counts: { create: 2, bad: 0 } })
    expect(await stored()).toEqual([])
    await imported(rows, '')
    const gate = {
      name: '东门',
      type: 'GATE',
      schoolId,
      deptId: null,
      placeId: hallId,
      weekdays: 31,
      fromMin: 420,
      toMin: 1140,
      headcount: 2,
      enabled: true,
      version: 1,
      equipment: [
        { name: '盾牌', required: 2, present: 2 },
        { name: '头盔', required: 3, present: 1 },
      ],
    }
    expect(await stored()).toMatchObject([
      gate,
      { name: '夜巡', type: 'PATROL', schoolId: fixture.westSchool.id, weekdays: 127, toMin: 1440, enabled: false },
    ])
    expect(await imported(rows, 'dryRun=true')).toMatchObject({ counts: { bad: 2 } })
    expect(await imported(rows, 'dryRun=true&updateSupport=true')).toMatchObject({ counts: { same: 2, bad: 0 } })
    await imported([['东门', null, east, null, null, null, null, '3', null, null]], 'updateSupport=true')
    expect((await stored())[0]).toMatchObject({ ...gate, headcount: 3, version: 2 })
    const audits = await all()
      .selectFrom('auditLog')
      .select('action')
      .where('subject', '=', 'security_post')
      .orderBy('id')
      .execute()
    expect(audits.map(({ action }) => action)).toEqual([
      'security:post:create',
      'security:post:create',
      'security:post:update',
    ])
  })

  it('changes no post whose name several posts of the school have', async () => {
    const {
      id: _id,
      equipment: _list,
      ...values
    } = await all().selectFrom('securityPost').selectAll().where('name', '=', '东门').executeTakeFirstOrThrow()
    const copy = await all()
      .insertInto('securityPost')
      .values({ ...values, checkCode: 'copy' })
      .returning('id')
      .executeTakeFirstOrThrow()
    const row: Cells = ['东门', null, fixture.eastSchool.name, null, null, null, null, '9', null, null]
    const job = await imported([row], 'updateSupport=true')
    expect(job.counts).toMatchObject({ bad: 1 })
    expect((await reasonsOf(job.id))[0]?.[0]?.message).toContain('多个岗位名为【东门】')
    await all().deleteFrom('securityPost').where('id', '=', copy.id).execute()
  })

  it('takes a school without a name as the own one, sees no other school, and needs the permission', async () => {
    const username = 'east-admin'
    await makeUser(fixture.db, {
      username,
      password: 'Maple-river-42',
      deptId: fixture.eastSchool.deptId,
      roles: ['school_admin'],
    })
    const token = { token: await fixture.tokenOf(username, 'Maple-river-42') }
    const hours: Cells = ['每天', '07:00', '19:00', '1', null, null]
    const rows: Cells[] = [
      ['北门', '门卫', null, null, ...hours],
      ['北门', '门卫', fixture.westSchool.name, null, ...hours],
    ]
    expect(await imported(rows, 'dryRun=true', token)).toMatchObject({ counts: { create: 1, bad: 1 } })
    const guard = 'east-guard'
    await makeUser(fixture.db, {
      username: guard,
      password: 'Maple-river-42',
      deptId: fixture.eastSchool.deptId,
      roles: ['guard'],
    })
    const other = { token: await fixture.tokenOf(guard, 'Maple-river-42') }
    expect((await imported(rows, 'dryRun=true', other)).code).toBe(codes.forbidden.code)
  })
})

describe('cells of posts', () => {
  it('reads weekdays in both languages, as days, ranges and groups', () => {
    const days = (text: string) => {
      const result = readWeekdays(text)
      return 'value' in result ? result.value : undefined
    }
    for (const text of [
      '周一–周五',
      '星期一至星期五',
      'Mon - Fri',
      '1-5',
      '工作日',
      '周一 周二、周三，周四;周五',
      '周一二三四五',
    ])
      expect(days(text), text).toBe(31)
    for (const text of ['每天', 'Every day', '周一~周日', 'Sat, Sun, Mon–Fri']) expect(days(text), text).toBe(127)
    expect(days('周六至周一')).toBe(0b1100001)
    expect(days('星期天')).toBe(64)
    for (const text of ['周八', 'M', 'Mon–', '0', '周一-周三-周五']) expect(days(text), text).toBeUndefined()
  })

  it('reads times as minutes up to the end of the day', () => {
    const read = createMinuteReader(1440)
    expect(['7:05', '07:05:00', '７：０５', '24:00'].map((text) => read(text))).toEqual([
      { value: 425 },
      { value: 425 },
      { value: 425 },
      { value: 1440 },
    ])
    for (const text of ['24:01', '7', '07:60', '上午7点']) expect(read(text), text).toEqual({ rule: 'format' })
    expect(createMinuteReader(1439)('24:00')).toEqual({ rule: 'format' })
  })

  it('reads equipment with what is present of what is required', () => {
    expect(readEquipment('盾牌2、头盔 1/3；Radio TC-500 × 4, 钢叉')).toEqual({
      value: [
        { name: '盾牌', required: 2, present: 2 },
        { name: '头盔', required: 3, present: 1 },
        { name: 'Radio TC-500', required: 4, present: 4 },
        { name: '钢叉', required: 1, present: 1 },
      ],
    })
    for (const text of ['TC-500', '2', '盾牌 1/']) expect(readEquipment(text), text).toEqual({ rule: 'format' })
  })
})
