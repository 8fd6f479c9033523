import { codes } from '@tocsin/contract/codes'
import type { Nomination } from '@tocsin/contract/school/employee'
import { leaderFields } from '@tocsin/contract/school/school'
import { sql } from 'kysely'
import type { Db } from '#db/db'
import { scoped, unscoped } from '#db/scope'
import type { Row } from '#db/tables'
import { BusinessError } from '#http/business-error'
import type { Actor } from '#http/route'

type Person = Pick<Row<'employee'>, 'id' | 'mobile' | 'name' | 'userId' | 'deptId' | 'schoolId'>

/** Numbers are compared by their digits. */
const digits = (text: string): string => text.replaceAll(/\D/g, '')

/** Schools that list this person's number as a contact or as the duty phone. */
const listContacts = async (trx: Db, { mobile, name, deptId, schoolId }: Person): Promise<Nomination[]> => {
  const schools = await unscoped(trx, 'who is named by a school is named, whoever asks')
    .selectFrom('school')
    .select(['id', 'name', 'deptId', 'dutyPhone', 'emergencyContacts'])
    .where((eb) =>
      eb.or([
        eb('deptId', '=', deptId),
        eb('id', '=', schoolId ?? 0),
        ...(mobile
          ? [
              sql<boolean>`regexp_replace(emergency_contacts::text, '[^0-9]', '', 'g') like ${`%${mobile}%`}`,
              sql<boolean>`regexp_replace(duty_phone, '[^0-9]', '', 'g') = ${mobile}`,
            ]
          : []),
      ]),
    )
    .orderBy('id')
    .execute()
  return schools.flatMap((school) => {
    const at = { where: school.name, schoolId: school.id }
    // Elsewhere somebody else may have the same name.
    const isOwn = school.id === schoolId || school.deptId === deptId
    const isNamed = school.emergencyContacts.some(
      (contact) => (isOwn && contact.name === name) || (mobile !== null && digits(contact.phone) === mobile),
    )
    return [
      ...(isNamed ? [{ what: 'CONTACT' as const, ...at }] : []),
      ...(mobile !== null && digits(school.dutyPhone ?? '') === mobile ? [{ what: 'DUTY_PHONE' as const, ...at }] : []),
    ]
  })
}

const leaderOf = {
  principalId: 'PRINCIPAL',
  safetyOfficerId: 'SAFETY_OFFICER',
  legalViceHeadId: 'LEGAL_VICE_HEAD',
} as const

/** Schools for which this person answers. */
const listLedSchools = async (trx: Db, { id }: Person): Promise<Nomination[]> => {
  const schools = await unscoped(trx, 'who is named by a school is named, whoever asks')
    .selectFrom('school')
    .select(['id', 'name', ...leaderFields])
    .where((eb) => eb.or(leaderFields.map((field) => eb(field, '=', id))))
    .orderBy('id')
    .execute()
  return schools.flatMap((school) =>
    leaderFields
      .filter((field) => school[field] === id)
      .map((field) => ({ what: leaderOf[field], where: school.name, schoolId: school.id })),
  )
}

const listLedDepts = async (trx: Db, userId: number): Promise<Nomination[]> => {
  const led = await trx.selectFrom('dept').select('name').where('leaderUserId', '=', userId).orderBy('name').execute()
  return led.map(({ name }) => ({ what: 'DEPT_LEADER', where: name, schoolId: null }))
}

/** Accounts of the department that receive alarms. */
export const listRecipients = async (trx: Db, deptId: number): Promise<number[]> => {
  const { rows } = await sql<{ userId: number }>`select user_id from alarm_recipients(${deptId})`.execute(trx)
  return rows.map(({ userId }) => userId)
}

const listReceived = async (trx: Db, { userId, deptId }: Person): Promise<Nomination[]> => {
  const school = await unscoped(trx, 'the school of a person who was seen')
    .selectFrom('school')
    .select(['id', 'name'])
    .where('deptId', '=', deptId)
    .executeTakeFirst()
  if (!school || userId === null) return []
  const recipients = await listRecipients(trx, deptId)
  if (!recipients.includes(userId)) return []
  const description = recipients.length === 1 ? 'LAST_RECIPIENT' : 'RECIPIENT'
  return [{ what: description, where: school.name, schoolId: school.id }]
}

const listUnits = async (trx: Db, userId: number): Promise<Nomination[]> => {
  const units = await unscoped(trx, 'who is a member of a unit is named, whoever asks')
    .selectFrom('policeUnitMember')
    .innerJoin('policeUnit', 'policeUnit.id', 'policeUnitMember.unitId')
    .innerJoin('dept', 'dept.id', 'policeUnit.deptId')
    .select(['policeUnit.name', 'dept.name as station'])
    .where('policeUnitMember.userId', '=', userId)
    .orderBy('policeUnit.id')
    .execute()
  return units.map(({ name, station }) => ({ what: 'UNIT', where: `${station} ${name}`, schoolId: null }))
}

/** Policies that name the account itself, in a step or as the last resort; one of a school is its matter. */
const listPolicies = async (trx: Db, userId: number): Promise<Nomination[]> => {
  const naming = { targets: [{ kind: 'USER', userId }] }
  const policies = await unscoped(trx, 'who is named by a policy is named, whoever asks')
    .selectFrom('notifyPolicy')
    .leftJoin('school', 'school.deptId', 'notifyPolicy.deptId')
    .select(['notifyPolicy.name', 'school.id as schoolId'])
    .where(
      sql<boolean>`(notify_policy.steps @> ${JSON.stringify([naming])}::jsonb
        or notify_policy.fallback @> ${JSON.stringify(naming)}::jsonb)`,
    )
    .orderBy('notifyPolicy.id')
    .execute()
  return policies.map(({ name, schoolId }) => ({ what: 'POLICY', where: name, schoolId }))
}

/** Posts where the person is expected from now on, published or not. */
const listShifts = async (trx: Db, { id }: Person): Promise<Nomination[]> => {
  const posts = await unscoped(trx, 'who is on a roster is named, whoever asks')
    .selectFrom('shift')
    .innerJoin('securityPost', 'securityPost.id', 'shift.postId')
    .leftJoin('school', 'school.id', 'securityPost.schoolId')
    .leftJoin('dept', 'dept.id', 'securityPost.deptId')
    .select(['securityPost.name', 'securityPost.schoolId', sql<string>`coalesce(school.name, dept.name)`.as('owner')])
    .select([sql<number>`count(*)::int`.as('count'), sql<Date>`min(shift.from_at)`.as('fromAt')])
    .where('shift.employeeId', '=', id)
    .where('shift.state', 'in', ['PLANNED', 'CHECKED_IN', 'LATE'])
    .where('shift.toAt', '>', sql<Date>`now()`)
    .groupBy(['securityPost.id', 'school.id', 'dept.id'])
    .orderBy('fromAt')
    .orderBy('securityPost.id')
    .execute()
  return posts.map(({ name, owner, schoolId, ...shifts }) => ({
    what: 'SHIFT',
    where: `${owner} ${name}`,
    schoolId,
    shifts,
  }))
}

/** The responsibilities of a person, to be handed over before leaving. */
export const listNominations = async (trx: Db, person: Person): Promise<Nomination[]> => {
  const { userId } = person
  return [
    ...(await listReceived(trx, person)),
    ...(await listLedSchools(trx, person)),
    ...(await listContacts(trx, person)),
    ...(userId === null ? [] : await listLedDepts(trx, userId)),
    ...(userId === null ? [] : await listUnits(trx, userId)),
    ...(userId === null ? [] : await listPolicies(trx, userId)),
    ...(await listShifts(trx, person)),
  ]
}

export const getNominations = async (db: Db, id: number, actor: Actor): Promise<Nomination[]> => {
  const person = await scoped(db, actor).selectFrom('employee').selectAll().where('id', '=', id).executeTakeFirst()
  if (!person) throw new BusinessError(codes.notFound, { what: '人员' })
  return listNominations(db, person)
}
