import { localDay } from '@tocsin/contract/security/hours'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeSchool, makeUser } from '../../../../seed/fixtures.ts'
import { type AdminServer, startAdminServer } from '../../../../test/admin-server.ts'
import { certificateTimerHandlers, noticeCertificates } from './certificate-notices.ts'
import { employeeRoutes } from './routes.ts'

const E = '/school/employee'
const DAY_MS = 86_400_000
const inDays = (days: number) => localDay(new Date(Date.now() + days * DAY_MS))

let site: AdminServer
let school: { id: number; deptId: number }
let keeperId: number
beforeAll(async () => {
  site = await startAdminServer((db) => employeeRoutes({ db }))
  school = await makeSchool(site.site.db)
  keeperId = (await makeUser(site.site.db, { deptId: school.deptId, roles: ['school_admin'] })).id
})
afterAll(() => site.end())

let made = 0
const create = async (more: object): Promise<number> => {
  made += 1
  const draft = { employeeNo: `C-${made}`, kind: 'GUARD', schoolId: school.id, ...more }
  return (await site.call('POST', `${E}/create`, draft)).data as unknown as number
}
const get = async (id: number) => (await site.call('GET', `${E}/get?id=${id}`)).data
const search = () => site.site.db.transaction().execute(noticeCertificates)
/** Who was told about a person, in order; each entry is one notice to one user. */
const readersOf = async (name: string): Promise<number[]> => {
  const rows = await site.all
    .selectFrom('noticeUser')
    .innerJoin('notice', 'notice.id', 'noticeUser.noticeId')
    .select('noticeUser.userId')
    .where('notice.content', 'like', `%<p>${name} 的证件%`)
    .orderBy('notice.id')
    .execute()
  return rows.map(({ userId }) => userId)
}

it('tells the holder and the keepers of the school once, thirty days before, also when two nodes search', async () => {
  const holder = await makeUser(site.site.db, { deptId: school.deptId, roles: ['guard'] })
  const near = await create({ name: '临期丙', certExpiresOn: inDays(29) })
  await create({ name: '远期丙', certExpiresOn: inDays(40) })
  await create({ name: '无证丙' })
  await site.all.updateTable('employee').set({ userId: holder.id }).where('id', '=', near).execute()
  expect(await get(near)).toMatchObject({ certDue: true, certNoticedAt: null })
  const counts = await Promise.all([search(), search()])
  expect(counts.toSorted()).toEqual([0, 1])
  expect(await search()).toBe(0)
  expect((await readersOf('临期丙')).toSorted()).toEqual([keeperId, holder.id].toSorted())
  expect([await readersOf('远期丙'), await readersOf('无证丙')]).toEqual([[], []])
  expect(await get(near)).toMatchObject({ certNoticedAt: expect.any(Number) })
})

it('tells again when the date was edited to another one, and not when it is set back', async () => {
  const first = inDays(10)
  const id = await create({ name: '改期丁', certExpiresOn: first })
  const edit = async (certExpiresOn: string) => {
    const { version } = await get(id)
    expect(await site.call('PUT', `${E}/update`, { id, version, certExpiresOn })).toMatchObject({ code: 200 })
    return search()
  }
  expect(await search()).toBe(1)
  expect(await edit(inDays(400))).toBe(0)
  expect(await get(id)).toMatchObject({ certDue: false, certNoticedAt: null })
  expect([await edit(inDays(12)), await edit(first)]).toEqual([1, 0])
  expect(await readersOf('改期丁')).toEqual([keeperId, keeperId])
})

it('says that a certificate has expired, is silent about people who left, and names many in one notice', async () => {
  const [first, second] = [
    await create({ name: '过期戊', certExpiresOn: inDays(-3) }),
    await create({ name: '过期己', certExpiresOn: inDays(-2) }),
  ]
  const gone = await create({ name: '离职戊', certExpiresOn: inDays(-3) })
  await site.all.updateTable('employee').set({ status: 'LEFT', leftAt: new Date() }).where('id', '=', gone).execute()
  expect(await search()).toBe(2)
  const notices = await site.all
    .selectFrom('notice')
    .select(['title', 'content'])
    .where('content', 'like', '%过期戊%')
    .execute()
  expect(notices).toEqual([
    { title: '2 人的证件即将到期或已到期', content: expect.stringContaining('过期己 的证件已于') },
  ])
  expect(await readersOf('离职戊')).toEqual([])
  expect([(await get(first))['certNoticedAt'], (await get(second))['certNoticedAt']]).not.toContain(null)
})

it('waits while nobody can read the notice, and runs again by its timer', async () => {
  const empty = await makeSchool(site.site.db)
  await create({ name: '无人庚', certExpiresOn: inDays(5), schoolId: empty.id })
  expect(await search()).toBe(0)
  const reader = await makeUser(site.site.db, { deptId: empty.deptId, roles: ['school_admin'] })
  await site.site.db.transaction().execute((trx) => certificateTimerHandlers.certificate.execute(trx, []))
  expect(await readersOf('无人庚')).toEqual([reader.id])
  const timers = await site.all
    .selectFrom('timer')
    .select(['step', 'doneAt'])
    .where('kind', '=', 'certificate')
    .execute()
  expect(timers).toEqual([{ step: 'SEARCH', doneAt: null }])
})
