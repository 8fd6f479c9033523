import type { EmployeeKind, ReachChannel } from '@tocsin/contract/school/employee'
import { sql } from 'kysely'
import type { Db } from '#db/db'
import { unscoped } from '#db/scope'
import { demoAccounts, demoSchools } from '../demo-data.ts'
import { deptByCode } from '../fixtures.ts'

type Person = {
  no: string
  name: string
  kind: EmployeeKind
  post: string
  mobile?: string
  /** The person's account in the demo. */
  username?: (typeof demoAccounts)[number]['username']
  /** Days from now until the certificate expires. */
  certDays?: number
  status?: 'LEAVE'
  gender?: 'MALE' | 'FEMALE'
}

/** By the code of the school or department. */
const people: Readonly<Record<string, readonly Person[]>> = {
  'DEMO-S1': [
    {
      no: 'S1-001',
      name: '刘敏',
      kind: 'TEACHER',
      post: '校长',
      mobile: '13900000101',
      username: 'school1',
      gender: 'FEMALE',
    },
    {
      no: 'S1-002',
      name: '孙建国',
      kind: 'SAFETY_OFFICER',
      post: '安全主任',
      mobile: '13900000102',
      username: 'safety1',
      certDays: 400,
    },
    {
      no: 'S1-003',
      name: '马强',
      kind: 'GUARD',
      post: '门卫',
      mobile: '13900000103',
      username: 'guard1',
      certDays: 18,
    },
    { no: 'S1-004', name: '何静', kind: 'TEACHER', post: '心理辅导', username: 'counsellor1', gender: 'FEMALE' },
    { no: 'S1-005', name: '郑伟', kind: 'GUARD', post: '巡查', mobile: '13900000105', certDays: 250, status: 'LEAVE' },
    { no: 'S1-006', name: '吴桂芳', kind: 'PARENT_VOLUNTEER', post: '护学岗', mobile: '13900000106', gender: 'FEMALE' },
  ],
  'DEMO-S2': [
    { no: 'S2-001', name: '朱文', kind: 'TEACHER', post: '校长', mobile: '13900000201', username: 'school2' },
    { no: 'S2-002', name: '钱立新', kind: 'SAFETY_OFFICER', post: '安全主任', mobile: '13900000202', certDays: -6 },
    {
      no: 'S2-003',
      name: '胡军',
      kind: 'GUARD',
      post: '门卫',
      mobile: '13900000203',
      username: 'guard2',
      certDays: 310,
    },
  ],
  'DEMO-S3': [
    { no: 'S3-001', name: '林海', kind: 'TEACHER', post: '校长', mobile: '13900000301', username: 'school3' },
    { no: 'S3-002', name: '方正', kind: 'SAFETY_OFFICER', post: '安全主任', mobile: '13900000302', certDays: 95 },
    {
      no: 'S3-003',
      name: '高峰',
      kind: 'GUARD',
      post: '门卫',
      mobile: '13900000303',
      username: 'guard3',
      certDays: 27,
    },
    { no: 'S3-004', name: '何秀英', kind: 'TEACHER', post: '宿舍值班', mobile: '13900000304', gender: 'FEMALE' },
  ],
  'DEMO-STATION': [
    { no: '031201', name: '郭志刚', kind: 'OPERATOR', post: '值班员', mobile: '13900000401', username: 'station' },
    { no: '031202', name: '罗勇', kind: 'POLICE', post: '校园民警', mobile: '13900000402', username: 'officer' },
    { no: 'F31203', name: '邓辉', kind: 'AUX_POLICE', post: '巡逻', mobile: '13900000403' },
  ],
  'DEMO-COMMAND': [
    {
      no: '030101',
      name: '梁晨',
      kind: 'OPERATOR',
      post: '接警员',
      mobile: '13900000501',
      username: 'command',
      gender: 'FEMALE',
    },
    { no: '030102', name: '宋涛', kind: 'OPERATOR', post: '值班长', mobile: '13900000502', username: 'lead' },
  ],
  OPERATOR: [
    { no: 'Y-001', name: '唐磊', kind: 'MAINTAINER', post: '维护', mobile: '13900000601', username: 'maintainer' },
  ],
}

/** By day a message, then a call; at night those on duty are called at once. */
const channels: readonly ReachChannel[] = [
  { channel: 'INAPP', quietFrom: null, quietTo: null },
  { channel: 'SMS', quietFrom: '22:30', quietTo: '06:30' },
  { channel: 'VOICE', quietFrom: null, quietTo: null },
]

/** The registers of the demo, linked to its accounts: one certificate that expires soon in two schools, one expired. */
export const buildPeople = async (trx: Db): Promise<void> => {
  const all = unscoped(trx, 'the seed acts for nobody in particular')
  const users = await all.selectFrom('users').select(['id', 'username']).execute()
  const idOf = new Map(users.map(({ id, username }) => [username, id]))
  const schools = await all.selectFrom('school').select(['id', 'code']).execute()
  const isSchool = (code: string) => demoSchools.some((school) => school.code === code)
  for (const [code, list] of Object.entries(people)) {
    const deptId = await deptByCode(trx, code)
    const schoolId = isSchool(code) ? (schools.find((school) => school.code === code)?.id ?? null) : null
    for (const { no, name, kind, post, mobile = null, username, certDays, status, gender = 'MALE' } of list)
      await all
        .insertInto('employee')
        .values({
          deptId,
          schoolId,
          employeeNo: no,
          name,
          kind,
          post,
          mobile,
          gender,
          mobileVerifiedAt: mobile && username ? sql<Date>`now() - interval '40 days'` : null,
          userId: username === undefined ? null : (idOf.get(username) ?? null),
          certNo: certDays === undefined ? null : `BA42${no.replaceAll(/\D/g, '').padStart(8, '0')}`,
          certExpiresOn: certDays === undefined ? null : sql<string>`current_date + ${certDays}::int`,
          backgroundCheckedOn: sql<string>`current_date - 120`,
          channels: sql<ReachChannel[]>`${JSON.stringify(mobile ? channels : [])}::jsonb`,
          ...(status && { status }),
        })
        .execute()
  }
  for (const [column, post] of [
    ['principal_id', '校长'],
    ['safety_officer_id', '安全主任'],
  ] as const)
    await sql`update school set ${sql.ref(column)} = employee.id
      from employee where employee.school_id = school.id and employee.post = ${post}`.execute(all)
  await sql`update school set legal_vice_head_id = employee.id
    from employee where employee.post = '校园民警' and school.code like 'DEMO-%'`.execute(all)
}
