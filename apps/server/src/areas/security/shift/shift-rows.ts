import { codes } from '@tocsin/contract/codes'
import { LATE_AFTER_MIN } from '@tocsin/contract/security/shift-machine'
import type { ShiftRow } from '@tocsin/contract/security/shift'
import { wallClock } from '@tocsin/contract/time-zone'
import { sql } from 'kysely'
import type { EditableTable } from '#areas/audit/edit-row'
import type { AllTablesDb, Db } from '#db/db'
import { scoped, unscoped } from '#db/scope'
import type { Row } from '#db/tables'
import { BusinessError } from '#http/business-error'
import type { Actor } from '#http/route'
import { ownerEvent, ownerName } from '../owner.ts'

export type StoredShift = Row<'shift'>

/**
 * Whether the person of a shift is reached by an alarm, for a query with `shift` and `employee`: somebody on leave, or
 * without an account that notifications go to, covers nothing. Who left after a shift did cover it.
 */
export const canReceiveAlarms = sql<boolean>`(shift.state in ('DONE', 'LEFT_EARLY') or employee.status = 'ACTIVE'
  and exists (select from users u where u.id = employee.user_id and u.enabled))`

export const selectShifts = (seen: AllTablesDb, userId: number) =>
  seen
    .selectFrom('shift')
    .innerJoin('securityPost', 'securityPost.id', 'shift.postId')
    .leftJoin('school', 'school.id', 'shift.schoolId')
    .leftJoin('dept', 'dept.id', 'shift.deptId')
    .innerJoin('employee', 'employee.id', 'shift.employeeId')
    .selectAll('shift')
    .select([
      'securityPost.name as postName',
      'securityPost.type as postType',
      ownerName.as('ownerName'),
      'employee.name as employeeName',
      sql<boolean>`employee.user_id is not distinct from ${userId}`.as('isMine'),
      canReceiveAlarms.as('canReceive'),
      sql<number>`case when shift.checked_in_at > shift.from_at + make_interval(mins => ${sql.lit(LATE_AFTER_MIN)})
        then floor(extract(epoch from shift.checked_in_at - shift.from_at) / 60)::int else 0 end`.as('lateMinutes'),
    ])

const getShift = async (trx: Db, actor: Actor, id: number): Promise<ShiftRow> => {
  const row = await selectShifts(unscoped(trx, 'the shift was locked in sight'), actor.userId)
    .where('shift.id', '=', id)
    .executeTakeFirst()
  if (!row) throw new BusinessError(codes.notFound, { what: '班次' })
  return row
}

export const shiftTable: EditableTable<'shift'> = {
  table: 'shift',
  action: 'security:shift',
  missing: { ...codes.notFound, zh: '班次不存在', en: 'The shift does not exist' },
  current: (trx, { id }, { actor }) => getShift(trx, actor, id),
  events: (shift) => [ownerEvent('shift.changed', shift.id, shift)],
}

export const findPost = async (trx: Db, actor: Actor, id: number): Promise<Row<'securityPost'>> => {
  const post = await scoped(trx, actor).selectFrom('securityPost').selectAll().where('id', '=', id).executeTakeFirst()
  if (!post) throw new BusinessError(codes.notFound, { what: '岗位' })
  return post
}

/** `MM-DD HH:mm` in the configured zone, for messages. */
export const formatShiftTime = (at: Date): string => wallClock(at).toISOString().slice(5, 16).replace('T', ' ')
