import { codes } from '@tocsin/contract/codes'
import { installationCalls } from '@tocsin/contract/device/school-device-verbs'
import { exportRoutes } from '#areas/audit/export-routes'
import type { Db } from '#db/db'
import { scoped } from '#db/scope'
import { BusinessError } from '#http/business-error'
import { type Actor, type Route, route } from '#http/route'
import { listInstallations } from '../school-device.ts'
import { installationExport } from './export.ts'
import { findPressProof } from './press-proof.ts'
import {
  acceptInstallation,
  editInstallation,
  installDevice,
  mountDevice,
  moveInstallation,
  planInstallation,
  removeInstallation,
  resumeInstallation,
  suspendInstallation,
} from './verbs.ts'

const getProof = async (db: Db, actor: Actor, id: number) => {
  const installation = await scoped(db, actor)
    .selectFrom('schoolDevice')
    .select(['deviceId', 'installedAt', 'validFrom'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (!installation) throw new BusinessError(codes.notFound, { what: '安装' })
  return findPressProof(db, installation)
}

export const installationRoutes = ({ db }: { db: Db }): Route[] => [
  route(installationCalls.history, ({ query, actor }) => listInstallations(db, actor, query.deviceId)),
  route(installationCalls.proof, ({ query, actor }) => getProof(db, actor, query.id)),
  route(installationCalls.plan, ({ body, actor, origin }) => planInstallation(db, body, { actor, origin })),
  route(installationCalls.mount, ({ body, actor, origin }) => mountDevice(db, body, { actor, origin })),
  route(installationCalls.update, ({ body, actor, origin }) => editInstallation(db, body, { actor, origin })),
  route(installationCalls.install, ({ body, actor, origin }) => installDevice(db, body, { actor, origin })),
  route(installationCalls.accept, ({ body, actor, origin }) => acceptInstallation(db, body, { actor, origin })),
  route(installationCalls.suspend, ({ body, actor, origin }) => suspendInstallation(db, body, { actor, origin })),
  route(installationCalls.resume, ({ body, actor, origin }) => resumeInstallation(db, body, { actor, origin })),
  route(installationCalls.move, ({ body, actor, origin }) => moveInstallation(db, body, { actor, origin })),
  route(installationCalls.remove, ({ body, actor, origin }) => removeInstallation(db, body, { actor, origin })),
  ...exportRoutes(db, installationExport),
]
