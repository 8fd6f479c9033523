import { type HomeStart, MAX_START_COUNT, startSteps } from '@tocsin/contract/insight/home/start-steps'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { deptByCode, makeDept, makeModel, makePlace, makeSchool } from '../../../../seed/fixtures.ts'
import { type AdminServer, startAdminServer } from '../../../../test/admin-server.ts'
import { homeCardRoutes } from './routes.ts'

let site: AdminServer
beforeAll(async () => {
  site = await startAdminServer((db) => homeCardRoutes({ db }))
})
afterAll(() => site.end())

const start = async (token = site.adminToken) =>
  (await site.call('GET', '/insight/home-start/get', undefined, token)).data as unknown as HomeStart
const done = async () => (await start()).steps.flatMap(({ step, count }) => (count > 0 ? step : []))

it('counts each step of the start from the empty installation to the first accepted button', async () => {
  const { db } = site.site
  const [edu, police] = [await deptByCode(db, 'EDU'), await deptByCode(db, 'POLICE')]
  expect(await start()).toEqual({ steps: startSteps.map((step) => ({ step, count: 0 })), schoolId: null })

  const district = await makeDept(db, { kind: 'EDU_BUREAU', name: '湖区教育局', parentId: edu })
  await makeDept(db, { kind: 'POLICE_STATION', name: '湖区派出所', parentId: police })
  expect(await done()).toEqual(['DISTRICT', 'STATION'])
  const school = await makeSchool(db, { name: '湖滨小学', eduDeptId: district.id })
  expect(await start()).toMatchObject({ schoolId: school.id })
  const place = await makePlace(db, { schoolId: school.id })
  const model = await makeModel(db)
  expect(await done()).toEqual(startSteps.slice(0, 5))
  const device = await site.all
    .insertInto('device')
    .values({ sn: 'START-1', modelId: model.id, deptId: school.deptId } as never)
    .returning('id')
    .executeTakeFirstOrThrow()
  expect(await done()).toEqual(startSteps.slice(0, 6))
  const installation = await site.all
    .insertInto('schoolDevice')
    .values({ deviceId: device.id, schoolId: school.id, placeId: place.id, status: 'INSTALLED' } as never)
    .returning('id')
    .executeTakeFirstOrThrow()
  expect(await done()).toEqual(startSteps.slice(0, 7))
  await site.all
    .updateTable('schoolDevice')
    .set({ status: 'ACCEPTED', acceptedAt: new Date(), lastTestAt: new Date() })
    .where('id', '=', installation.id)
    .execute()
  expect(await done()).toEqual(startSteps)
})

it('takes the root for the district when schools belong to it directly, and stops counting at a limit', async () => {
  const before = (await start()).steps[0]?.count ?? 0
  const direct = await makeSchool(site.site.db)
  expect((await start()).steps[0]?.count).toBe(before + 1)
  for (let n = 0; n <= MAX_START_COUNT; n += 1) await makePlace(site.site.db, { schoolId: direct.id })
  expect((await start()).steps.find(({ step }) => step === 'PLACES')?.count).toBe(MAX_START_COUNT)
})

it('is refused without the permission to create departments, and counts no school out of sight', async () => {
  const reader = await site.clerk('system:dept:query')
  expect(await site.call('GET', '/insight/home-start/get', undefined, reader.token)).toMatchObject({ code: 403 })
  await makeSchool(site.site.db)
  const clerk = await site.clerk('system:dept:create')
  const seen = await start(clerk.token)
  expect(seen.schoolId).toBeNull()
  expect(seen.steps.find(({ step }) => step === 'SCHOOL')).toEqual({ step: 'SCHOOL', count: 0 })
})
