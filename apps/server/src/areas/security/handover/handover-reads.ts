import type { DeskSeat, HandoverUnit } from '@tocsin/contract/security/handover'
import { sql } from 'kysely'
import type { Db } from '#db/db'
import { scoped, unscoped } from '#db/scope'
import type { Actor } from '#http/route'
import { ownerName } from '../owner.ts'

/** More units than a select can offer. */
const MAX_UNITS = 200

/** Owners of visible posts, those first where the caller is on duty; a school without posts is offered too. */
export const listHandoverUnits = async (db: Db, actor: Actor): Promise<HandoverUnit[]> => {
  const mine = unscoped(db, 'one’s own shifts')
    .selectFrom('shift')
    .innerJoin('employee', 'employee.id', 'shift.employeeId')
    .select('shift.id')
    .where('employee.userId', '=', actor.userId)
    .where('shift.state', '=', 'CHECKED_IN')
    .where('shift.postId', '=', sql.ref<number>('security_post.id'))
  const posts = await unscoped(db, 'units of visible posts')
    .selectFrom('securityPost')
    .leftJoin('school', 'school.id', 'securityPost.schoolId')
    .leftJoin('dept', 'dept.id', 'securityPost.deptId')
    .select(['securityPost.schoolId', 'securityPost.deptId', ownerName.as('name')])
    .select(({ exists }) => sql<boolean>`bool_or(${exists(mine)})`.as('isOnDuty'))
    .where('securityPost.id', 'in', scoped(db, actor).selectFrom('securityPost').select('securityPost.id'))
    .groupBy(['securityPost.schoolId', 'securityPost.deptId', 'school.name', 'dept.name'])
    .orderBy('isOnDuty', 'desc')
    .orderBy('name')
    .limit(MAX_UNITS)
    .execute()
  if (posts.length > 0) return posts
  const schools = await scoped(db, actor)
    .selectFrom('school')
    .select(['id', 'name'])
    .where('status', '=', 'ACTIVE')
    .orderBy('name')
    .limit(MAX_UNITS)
    .execute()
  return schools.map(({ id, name }) => ({ schoolId: id, deptId: null, name, isOnDuty: false }))
}

const ONLINE_MINUTES = 5
const MAX_SEATS = 200

const isOnline = sql<boolean>`exists (
  select from session where session.user_id = employee.user_id and session.ended_at is null
    and session.last_used_at > now() - make_interval(mins => ${sql.lit(ONLINE_MINUTES)}))`

/** Who sits where now: people who have started a shift at a desk. */
export const listSeats = (db: Db, actor: Actor): Promise<DeskSeat[]> => {
  const visible = scoped(db, actor).selectFrom('shift').select('shift.id').where('state', '=', 'CHECKED_IN')
  return unscoped(db, 'people of visible shifts')
    .selectFrom('shift')
    .innerJoin('securityPost', 'securityPost.id', 'shift.postId')
    .innerJoin('employee', 'employee.id', 'shift.employeeId')
    .leftJoin('school', 'school.id', 'shift.schoolId')
    .leftJoin('dept', 'dept.id', 'shift.deptId')
    .select([
      'shift.id as shiftId',
      'securityPost.name as postName',
      ownerName.as('ownerName'),
      'employee.name as employeeName',
      'shift.checkedInAt',
      'shift.toAt',
      isOnline.as('isOnline'),
    ])
    .where('shift.id', 'in', visible)
    .where('securityPost.type', '=', 'SEAT')
    .orderBy('ownerName')
    .orderBy('postName')
    .orderBy('shift.fromAt')
    .limit(MAX_SEATS)
    .execute()
}
