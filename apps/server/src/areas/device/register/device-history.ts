import { codes } from '@tocsin/contract/codes'
import type { Connectivity, DeviceMessageRow } from '@tocsin/contract/device/device'
import { sql } from 'kysely'
import type { Db } from '#db/db'
import { scoped, unscoped } from '#db/scope'
import { BusinessError } from '#http/business-error'
import type { Actor } from '#http/route'
import { isOfOwnSchoolPeriod } from '../lifecycle/own-school-period.ts'

const MAX_ROWS = 200
const MAX_MESSAGES = 50
const DEFAULT_DAYS = 7

const assertVisible = async (db: Db, actor: Actor, id: number): Promise<void> => {
  const device = await scoped(db, actor).selectFrom('device').select('id').where('id', '=', id).executeTakeFirst()
  if (!device) throw new BusinessError(codes.notFound, { what: '设备' })
}

/** The latest first; each with the name of its user. */
export const listHistory = async (db: Db, actor: Actor, id: number) => {
  await assertVisible(db, actor, id)
  return unscoped(db, 'history and names of a device that was read in the visibility of the caller')
    .selectFrom('deviceLog')
    .leftJoin('users', 'users.id', 'deviceLog.userId')
    .select(['deviceLog.id', 'deviceLog.deviceId', 'deviceLog.at', 'deviceLog.userId', 'deviceLog.verb'])
    .select(['deviceLog.fromState', 'deviceLog.toState', 'deviceLog.reason'])
    .select(['users.nickname as userName', 'users.username as userAccount'])
    .where('deviceId', '=', id)
    .where(isOfOwnSchoolPeriod(actor, sql.ref('device_log.school_id')))
    .orderBy('deviceLog.id', 'desc')
    .limit(MAX_ROWS)
    .execute()
}

/** Changes of the period in order, after the last one before it. */
export const listConnectivity = async (
  db: Db,
  actor: Actor,
  { id, days = DEFAULT_DAYS }: { id: number; days?: number | undefined },
) => {
  await assertVisible(db, actor, id)
  const from = sql<Date>`now() - make_interval(days => ${days})`
  const changes = db
    .selectFrom('deviceConnectivity')
    .select(['at', sql<Connectivity>`to_state`.as('toState')])
    .where('deviceId', '=', id)
  const [before, within] = await Promise.all([
    changes.where('at', '<', from).orderBy('at', 'desc').limit(1).execute(),
    changes.where('at', '>=', from).orderBy('at').limit(5000).execute(),
  ])
  return [...before, ...within]
}

/** Reports and signals of a device together, the latest first. */
export const listMessages = async (db: Db, actor: Actor, id: number): Promise<DeviceMessageRow[]> => {
  await assertVisible(db, actor, id)
  const [reports, signals] = await Promise.all([
    db
      .selectFrom('deviceMessage')
      .select(['at', 'channel', 'message', 'raw', 'reason'])
      .where('deviceId', '=', id)
      .orderBy('at', 'desc')
      .limit(MAX_MESSAGES)
      .execute(),
    unscoped(db, 'signals of a device that was read in the visibility of the caller')
      .selectFrom('signal')
      .select(['receivedAt as at', 'kind', 'code', 'body', 'raw'])
      .where('deviceId', '=', id)
      .where(isOfOwnSchoolPeriod(actor, sql.ref('signal.school_id')))
      .orderBy('id', 'desc')
      .limit(MAX_MESSAGES)
      .execute(),
  ])
  const rows = [
    ...reports.map(({ raw, message, ...row }) => ({
      ...row,
      code: null,
      message: message as DeviceMessageRow['message'],
      raw: raw?.toString('hex') ?? null,
    })),
    ...signals.map(({ kind, body, raw, ...row }) => ({
      ...row,
      channel: kind.toLowerCase(),
      message: body as DeviceMessageRow['message'],
      raw: raw?.toString('hex') ?? null,
      reason: null,
    })),
  ]
  return rows.toSorted((a, b) => b.at.getTime() - a.at.getTime()).slice(0, MAX_MESSAGES)
}
