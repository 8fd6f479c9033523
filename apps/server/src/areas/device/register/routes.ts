import { deviceEdits } from '@tocsin/contract/device/device-verbs'
import { sql } from 'kysely'
import { exportRoutes } from '#areas/audit/export-routes'
import type { Db } from '#db/db'
import { scoped, unscoped } from '#db/scope'
import { BusinessError } from '#http/business-error'
import { codes } from '@tocsin/contract/codes'
import { type Actor, type Route, route } from '#http/route'
import { effectiveLifecycle, joinMissingRequirements } from '../device-readiness.ts'
import { deviceExport } from './export.ts'
import { adoptDevice, createDevice, rotateSecret, updateDevice } from './register.ts'

const countByLifecycle = (db: Db, actor: Actor) =>
  joinMissingRequirements(scoped(db, actor))
    .selectFrom('device')
    .select([effectiveLifecycle.as('lifecycle'), sql<number>`count(*)::int`.as('count')])
    .groupBy(effectiveLifecycle)
    .execute()

/** The latest first; each with who did it by name. */
const listHistory = async (db: Db, actor: Actor, id: number) => {
  const device = await scoped(db, actor).selectFrom('device').select('id').where('id', '=', id).executeTakeFirst()
  if (!device) throw new BusinessError(codes.notFound, { what: '设备' })
  return unscoped(db, 'history and names of a device that was read in the visibility of the caller')
    .selectFrom('deviceLog')
    .leftJoin('users', 'users.id', 'deviceLog.userId')
    .selectAll('deviceLog')
    .select('users.nickname as userName')
    .where('deviceId', '=', id)
    .orderBy('deviceLog.id', 'desc')
    .limit(200)
    .execute()
}

type Deps = { db: Db; keys: { 'device-http-key': Uint8Array } }

export const registerDeviceRoutes = ({ db, keys }: Deps): Route[] => {
  const deps = { db, key: keys['device-http-key'] }
  return [
    route(deviceEdits.create, ({ body, actor, origin }) => createDevice(deps, body, { actor, origin })),
    route(deviceEdits.update, ({ body, actor, origin }) => updateDevice(db, body, { actor, origin })),
    route(deviceEdits.counts, ({ actor }) => countByLifecycle(db, actor)),
    route(deviceEdits.history, ({ query, actor }) => listHistory(db, actor, query.id)),
    route(deviceEdits.adopt, ({ body, actor, origin }) => adoptDevice(deps, body, { actor, origin })),
    route(deviceEdits.rotateSecret, ({ body, actor, origin }) => rotateSecret(deps, body, { actor, origin })),
    ...exportRoutes(db, deviceExport),
  ]
}
