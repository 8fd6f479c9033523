import { deviceEdits } from '@tocsin/contract/device/device-verbs'
import { sql } from 'kysely'
import { exportRoutes } from '#areas/audit/export-routes'
import { importRoutes } from '#areas/files/import/routes'
import type { Db } from '#db/db'
import { scoped } from '#db/scope'
import { type Actor, type Route, route } from '#http/route'
import { effectiveLifecycle, joinMissingRequirements } from '../device-readiness.ts'
import { findBySerialNumber } from '../device.ts'
import { listConnectivity, listHistory, listMessages } from './device-history.ts'
import { deviceImporter } from './device-importer.ts'
import { deviceExport } from './export.ts'
import { adoptDevice, createDevice, issueSecrets, rotateSecret, updateDevice } from './register.ts'

const countByLifecycle = (db: Db, actor: Actor) =>
  joinMissingRequirements(scoped(db, actor))
    .selectFrom('device')
    .select([effectiveLifecycle.as('lifecycle'), sql<number>`count(*)::int`.as('count')])
    .groupBy(effectiveLifecycle)
    .execute()

type Deps = { db: Db; keys: { 'device-http-key': Uint8Array } }

export const registerDeviceRoutes = ({ db, keys }: Deps): Route[] => {
  const deps = { db, key: keys['device-http-key'] }
  return [
    route(deviceEdits.create, ({ body, caller }) => createDevice(deps, body, caller)),
    route(deviceEdits.update, ({ body, caller }) => updateDevice(db, body, caller)),
    route(deviceEdits.counts, ({ actor }) => countByLifecycle(db, actor)),
    route(deviceEdits.history, ({ query, actor }) => listHistory(db, actor, query.id)),
    route(deviceEdits.connectivity, ({ query, actor }) => listConnectivity(db, actor, query)),
    route(deviceEdits.messages, ({ query, actor }) => listMessages(db, actor, query.id)),
    route(deviceEdits.find, ({ query, actor }) => findBySerialNumber(db, actor, query.sn)),
    route(deviceEdits.adopt, ({ body, caller }) => adoptDevice(deps, body, caller)),
    route(deviceEdits.rotateSecret, ({ body, caller }) => rotateSecret(deps, body, caller)),
    route(deviceEdits.issueSecrets, ({ body, caller }) => issueSecrets(deps, body, caller)),
    ...exportRoutes(db, deviceExport),
    ...importRoutes(db, deviceImporter),
  ]
}
