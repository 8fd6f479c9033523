import type { DeviceLack } from '@tocsin/contract/device/device'
import { sql } from 'kysely'
import type { AllDb, Db } from '#db/db'
import { everything } from '#db/scope'

/** By it the alarm area says who may take up an alarm. */
const CLAIM = 'warn:record:claim'

/** Which of these schools have somebody of their own who may take up an alarm: one whose sight is himself sees none. */
const schoolsWithRecipient = async (db: Db, schoolIds: readonly number[]): Promise<Set<number>> => {
  const { rows } = await sql<{ id: number }>`
    with recursive live_menu as (
      select id, permission from menu where parent_id is null and enabled
      union select m.id, m.permission from menu m join live_menu p on m.parent_id = p.id where m.enabled
    )
    select school.id from school
    where school.id = any(${schoolIds}::bigint[]) and exists (
      select from users u join user_role ur on ur.user_id = u.id join role on role.id = ur.role_id
        join role_menu rm on rm.role_id = role.id join live_menu m on m.id = rm.menu_id
      where u.dept_id = school.dept_id and u.enabled and role.enabled and role.data_scope <> 'SELF'
        and m.permission = ${CLAIM}
    )`.execute(everything(db, 'whether a school that was read has somebody who takes up its alarms'))
  return new Set(rows.map(({ id }) => id))
}

type Placed = { schoolId: number | null; placeId: number | null; policeDeptId: number | null; alarmCodes: string[] }

const raisesPanic = ({ alarmCodes }: Placed) => alarmCodes.some((code) => code.startsWith('PANIC'))

/**
 * What the schools of installed panic devices are short of: an alarm of theirs would reach no police station, or nobody at
 * the school (domain 2.14-12). In the order of the rows.
 */
export const lacksOf = async (db: Db, rows: readonly Placed[]): Promise<DeviceLack[][]> => {
  const asked = rows.filter((row) => raisesPanic(row) && row.placeId !== null)
  const schoolIds = [...new Set(asked.flatMap(({ schoolId }) => schoolId ?? []))]
  const staffed = schoolIds.length === 0 ? new Set<number>() : await schoolsWithRecipient(db, schoolIds)
  return rows.map((row) => {
    if (!asked.includes(row)) return []
    return [
      ...(row.policeDeptId === null ? ['POLICE_STATION' as const] : []),
      ...(row.schoolId !== null && staffed.has(row.schoolId) ? [] : ['RECIPIENT' as const]),
    ]
  })
}

/**
 * What ails each device: codes of its open health records whose cause still lasts.
 * @param seen a handle whose sight covers the records.
 */
export const healthFlags = async (seen: AllDb, deviceIds: readonly number[]): Promise<Map<number, string[]>> => {
  if (deviceIds.length === 0) return new Map()
  const found = await seen
    .selectFrom('warnRecord')
    .select(['deviceId', 'code'])
    .distinct()
    .where('open', '=', true)
    .where('class', '=', 'DEVICE_HEALTH')
    .where('condition', '=', 'ACTIVE')
    .where('deviceId', 'in', deviceIds)
    .orderBy('code')
    .execute()
  const flags = new Map<number, string[]>()
  for (const { deviceId, code } of found)
    if (deviceId !== null) flags.set(deviceId, [...(flags.get(deviceId) ?? []), code])
  return flags
}
