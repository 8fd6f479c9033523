import { codes } from '@tocsin/contract/codes'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { deptByCode, makeDept } from '../../../seed/fixtures.ts'
import { type JobFixture, openJobFixture, workbook } from '../../../test/job-fixture.ts'
import { importJobs } from '#areas/files/import/job'
import { importRoutes } from '#areas/files/import/routes'
import { unscoped } from '#db/scope'
import { runJob } from '#jobs/run'
import { placeImporter } from './place-importer.ts'
import { schoolImporter } from './school-importer.ts'

let fixture: JobFixture
beforeAll(async () => {
  fixture = await openJobFixture((db) => [...importRoutes(db, schoolImporter), ...importRoutes(db, placeImporter)])
  await fixture.stopWorker()
  const police = await deptByCode(fixture.db, 'POLICE')
  await makeDept(fixture.db, { kind: 'POLICE_STATION', name: '东湖派出所', code: 'ST-01', parentId: police })
})
afterAll(() => fixture.close())

const HEADS = ['学校代码', '学校名称', '教育部门', '辖区派出所', '学段', '寄宿制', '学生数']
const imported = async (rows: (string | null)[][], query: string, heads: string[] = HEADS) => {
  const file = await workbook(rows, heads)
  const { data } = await fixture.send(file, query, 'admin', '/school/school/import')
  const job = { id: Number(data.id), stopping: new AbortController().signal }
  await runJob(fixture.db, importJobs(schoolImporter), job)
  return fixture.job(job.id)
}
const stored = () =>
  unscoped(fixture.db, 'tests look at every row')
    .selectFrom('school')
    .innerJoin('dept', 'dept.id', 'school.deptId')
    .leftJoin('dept as police', 'police.id', 'school.policeDeptId')
    .select([
      'school.code',
      'school.name',
      'stage',
      'boarding',
      'studentCount',
      'police.name as station',
      'dept.name as dept',
    ])
    .where('school.code', 'like', 'LIST%')
    .orderBy('school.code')
    .execute()

it('previews errors by cell, then creates schools with their departments and updates them on request', async () => {
  const bad = await imported(
    [
      ['LIST1', '名单一小', '没有的教育局', 'ST-01', '小学', '否', '900'],
      ['LIST2', '名单二小', '东区教育局', '没有的派出所', '小学', null, null],
      ['LIST3', '名单三小', '东区教育局', null, '大专', null, null],
      ['LIST3', '名单四小', '东区教育局', null, '小学', null, null],
    ],
    'dryRun=true',
  )
  expect(bad).toMatchObject({ counts: { bad: 4 } })
  expect(await stored()).toEqual([])
  await imported(
    [
      ['LIST1', '名单一小', '东区教育局', 'ST-01', '小学', '否', '900'],
      ['LIST2', '名单二小', '东区教育局', null, '初中', '是', null],
    ],
    '',
  )
  const value = {
    code: 'LIST1',
    name: '名单一小',
    dept: '名单一小',
    stage: 'PRIMARY',
    boarding: false,
    studentCount: 900,
    station: '东湖派出所',
  }
  const two = {
    code: 'LIST2',
    name: '名单二小',
    dept: '名单二小',
    stage: 'JUNIOR',
    boarding: true,
    studentCount: 0,
    station: null,
  }
  expect(await stored()).toEqual([value, two])
  await imported([['LIST2', '名单二中', '东区教育局', '东湖派出所', '高中', '是', '300']], 'updateSupport=true')
  expect((await stored())[1]).toEqual({
    ...two,
    name: '名单二中',
    dept: '名单二中',
    stage: 'SENIOR',
    studentCount: 300,
    station: '东湖派出所',
  })
})

it('creates places of one school by their paths with missing parents, and updates them on request', async () => {
  const schoolId = fixture.eastSchool.id
  const run = async (rows: (string | null)[][], query: string) => {
    const file = await workbook(rows, ['位置路径', '类型', '楼层', '重点部位'])
    const answer = await fixture.send(file, `schoolId=${schoolId}&${query}`, 'admin', '/school/place/import')
    const job = { id: Number(answer.data.id), stopping: new AbortController().signal }
    await runJob(fixture.db, importJobs(placeImporter), job)
    return fixture.job(job.id)
  }
  const listed = async () => {
    const found = await unscoped(fixture.db, 'tests look at every row')
      .selectFrom('place')
      .leftJoin('place as above', 'above.id', 'place.parentId')
      .select(['place.name', 'place.kind', 'place.floorNo', 'place.keyPart', 'above.name as parent'])
      .where('place.schoolId', '=', schoolId)
      .where('place.name', 'like', '试%')
      .orderBy('place.name')
      .execute()
    return found.map(({ name, kind, floorNo, keyPart, parent }) => [name, kind, floorNo, keyPart, parent])
  }
  const bad = await run(
    [
      ['试甲楼//室', '房间', null, null],
      ['试乙楼', '别墅', null, null],
      ['试丙楼', '楼栋', null, null],
      ['试丙楼', '楼栋', null, null],
    ],
    'dryRun=true',
  )
  expect(bad).toMatchObject({ counts: { bad: 3 } })
  expect(await listed()).toEqual([])
  await run(
    [
      ['试楼 / 试3层 / 试301', '房间', '3', '是'],
      ['试楼', '楼栋', null, null],
    ],
    '',
  )
  const stands = [
    ['试301', 'ROOM', 3, true, '试3层'],
    ['试3层', 'FLOOR', 3, false, '试楼'],
    ['试楼', 'BUILDING', null, false, null],
  ]
  expect(await listed()).toEqual(stands)
  expect(await run([['试楼/试3层', '楼层', '4', null]], '')).toMatchObject({ counts: { bad: 1 } })
  await run([['试楼/试3层', '楼层', '4', null]], 'updateSupport=true')
  expect(await listed()).toEqual(stands.with(1, ['试3层', 'FLOOR', 4, false, '试楼']))
  const file = await workbook([['试楼', '楼栋']], ['位置路径', '类型'])
  expect(await fixture.send(file, 'schoolId=999999', 'admin', '/school/place/import')).toMatchObject({
    code: codes.notFound.code,
  })
})

it('stores positions of other systems as CGCS2000, and rejects half of one', async () => {
  const heads = ['学校代码', '学校名称', '教育部门', '学段', '经度', '纬度', '坐标系']
  const row = (n: number, ...position: (string | null)[]) => [
    `COOR${n}`,
    `坐标${n}小`,
    '东区教育局',
    '小学',
    ...position,
  ]
  const bad = await imported([row(0, '116.410232', null, 'GCJ-02')], 'dryRun=true', heads)
  expect(bad).toMatchObject({ counts: { bad: 1 } })
  await imported(
    [
      row(1, '116.410232', '39.91567', 'GCJ-02'),
      row(2, '116.416616', '39.921966', 'BD-09'),
      row(3, '116.4', '39.9', null),
      row(4, '116.403988', '39.914266', 'WGS-84'),
    ],
    '',
    heads,
  )
  const schools = await unscoped(fixture.db, 'tests look at every row')
    .selectFrom('school')
    .select(['lng', 'lat', 'coordinateSystem'])
    .where('code', 'like', 'COOR%')
    .orderBy('code')
    .execute()
  expect(schools.map((school) => [school.lng?.toFixed(4), school.lat?.toFixed(4), school.coordinateSystem])).toEqual([
    ['116.4040', '39.9143', 'GCJ02'],
    ['116.4040', '39.9143', 'BD09'],
    ['116.4000', '39.9000', 'CGCS2000'],
    ['116.4040', '39.9143', 'WGS84'],
  ])
})
