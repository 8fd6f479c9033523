import { localDay } from '@tocsin/contract/security/hours'
import { codes } from '@tocsin/contract/codes'
import type { EmergencyContact } from '@tocsin/contract/school/contact'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { deptByCode, makeDept, makeSchool } from '../../../../seed/fixtures.ts'
import { openSignInFixture, type SignInFixture } from '../../../../test/sign-in-fixture.ts'
import { contactVerificationRoutes } from './verify-contact.ts'
import { employeeRoutes } from '../employee/routes.ts'
import { schoolRoutes } from '../school.ts'

let fixture: SignInFixture
let token: string
let id: number
beforeAll(async () => {
  fixture = await openSignInFixture((deps) => [
    ...schoolRoutes(deps),
    ...employeeRoutes(deps),
    ...contactVerificationRoutes(deps),
  ])
  await fixture.openChannels()
  token = await fixture.tokenOf('admin', 'Maple-river-42')
  const parentId = await deptByCode(fixture.db, 'EDU')
  const eduDeptId = (await makeDept(fixture.db, { kind: 'EDU_BUREAU', name: '东区教育局', parentId })).id
  const emergencyContacts: EmergencyContact[] = [
    { role: 'SAFETY_OFFICER', name: '杜明', phone: '13812340001', verifiedOn: null },
    { role: 'GUARD_ROOM', name: '保安室', phone: '027-5550101', verifiedOn: null },
  ]
  id = (await makeSchool(fixture.db, { eduDeptId, emergencyContacts })).id
})
afterAll(() => fixture.close())
beforeEach(() => fixture.forgetTries())

const call = (path: string, body: object) => fixture.call('POST', path, { token, body })
const school = () => fixture.all.selectFrom('school').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const verify = async (given: object) =>
  call('/school/school/verify-contact', { id, version: (await school()).version, ...given })
const codeTo = async (phone: string, path: string, body: object) => {
  expect((await call(path, body)).code).toBe(200)
  await fixture.deliver()
  return fixture.received(phone).at(-1) ?? ''
}
const today = localDay(new Date())

describe('contacts of a school', () => {
  it('are verified by the code that reached the number, once and not by a wrong one', async () => {
    const code = await codeTo('13812340001', '/school/school/send-contact-code', { id, position: 1 })
    const wrong = code === '000000' ? '000001' : '000000'
    expect((await verify({ position: 1, code: wrong })).code).toBe(codes.codeWrong.code)
    expect((await verify({ position: 1, code })).code).toBe(200)
    expect((await school()).emergencyContacts[0]).toMatchObject({ verifiedOn: today, verifiedHow: 'CODE' })
    expect((await verify({ position: 1, code })).code).toBe(codes.codeWrong.code)
    expect(await fixture.audits('school', id)).toEqual(['school:school:update'])
  })

  it('are verified by the calling user, without a code for a number that is no mobile', async () => {
    const sent = await call('/school/school/send-contact-code', { id, position: 2 })
    expect(sent.code).toBe(codes.contactNoMobile.code)
    expect((await call('/school/school/send-contact-code', { id, position: 3 })).code).toBe(codes.notFound.code)
    expect((await verify({ position: 2 })).code).toBe(200)
    const { nickname } = await fixture.all
      .selectFrom('users')
      .select('nickname')
      .where('username', '=', 'admin')
      .executeTakeFirstOrThrow()
    expect((await school()).emergencyContacts[1]).toMatchObject({
      verifiedOn: today,
      verifiedHow: 'PERSON',
      verifiedBy: nickname,
    })
  })

  it('keep their verification when the school is edited, without another method or a later day', async () => {
    const { version, emergencyContacts } = await school()
    const edit = (contacts: unknown[]) =>
      fixture.call('PUT', '/school/school/update', { token, body: { id, version, emergencyContacts: contacts } })
    const [first, second] = emergencyContacts
    expect((await edit([{ ...first, verifiedOn: '2126-01-01' }])).data).toMatchObject({
      errors: [{ field: 'emergencyContacts' }],
    })
    const claimed = [
      { ...first, verifiedHow: 'PERSON', verifiedBy: '某人' },
      { ...second, phone: '13812340002', verifiedHow: 'CODE' },
    ]
    expect((await edit(claimed)).code).toBe(200)
    expect((await school()).emergencyContacts).toMatchObject([
      { verifiedHow: 'CODE', verifiedBy: first?.verifiedBy },
      { phone: '13812340002', verifiedHow: 'PERSON', verifiedOn: today },
    ])
  })
})

describe('people responsible for a school', () => {
  it('are from the register, verified by code, notified when named, and not deletable', async () => {
    const person = { schoolId: id, employeeNo: 'T-1', name: '刘校长', kind: 'TEACHER', mobile: '13812340009' }
    const { data } = await call('/school/employee/create', person)
    const personId = Number(data)
    const code = await codeTo('13812340009', '/school/employee/send-mobile-code', { id: personId })
    expect((await call('/school/employee/verify-mobile', { id: personId, version: 1, code })).code).toBe(200)
    const edit = async (given: object) =>
      fixture.call('PUT', '/school/school/update', { token, body: { id, version: (await school()).version, ...given } })
    expect((await edit({ safetyOfficerId: 999_999 })).data).toMatchObject({ errors: [{ field: 'safetyOfficerId' }] })
    expect((await edit({ principalId: personId })).code).toBe(200)
    const shown = await fixture.call('GET', `/school/school/get?id=${id}`, { token })
    expect(shown.data).toMatchObject({ principalId: personId, principalName: '刘校长', safetyOfficerName: null })
    const named = await fixture.call('GET', `/school/employee/named-as?id=${personId}`, { token })
    expect(named.data).toMatchObject([{ what: 'PRINCIPAL', schoolId: id }])
    const gone = await fixture.call('DELETE', `/school/employee/delete?id=${personId}`, { token })
    expect(gone.code).toBe(codes.referred.code)
    const stored = await fixture.all.selectFrom('employee').selectAll().where('id', '=', personId).executeTakeFirst()
    expect(stored?.mobileVerifiedAt).toBeInstanceOf(Date)
  })
})
