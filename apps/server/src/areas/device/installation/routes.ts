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
  replaceDevice,
  resumeInstallation,
  suspendInstallation,
} from './verbs.ts'

const getProof = async (db: Db, actor: Actor, id: number) => {
  const installation = await scoped(db, actor)
    .selectFrom('schoolDevice')
    .select('id')
    .where('id', '=', id)
    .executeTakeFirst()
  if (!installation) throw new BusinessError(codes.notFound, { what: '安装' })
  return findPressProof(db, installation.id)
}

export const installationRoutes = ({ db }: { db: Db }): Route[] => [
  route(installationCalls.history, ({ query, actor }) => listInstallations(db, actor, query.deviceId)),
  route(installationCalls.proof, ({ query, actor }) => getProof(db, actor, query.id)),
  route(installationCalls.plan, ({ body, caller }) => planInstallation(db, body, caller)),
  route(installationCalls.mount, ({ body, caller }) => mountDevice(db, body, caller)),
  route(installationCalls.update, ({ body, caller }) => editInstallation(db, body, caller)),
  route(installationCalls.install, ({ body, caller }) => installDevice(db, body, caller)),
  route(installationCalls.accept, ({ body, caller }) => acceptInstallation(db, body, caller)),
  route(installationCalls.suspend, ({ body, caller }) => suspendInstallation(db, body, caller)),
  route(installationCalls.resume, ({ body, caller }) => resumeInstallation(db, body, caller)),
  route(installationCalls.move, ({ body, caller }) => moveInstallation(db, body, caller)),
  route(installationCalls.replace, ({ body, caller }) => replaceDevice(db, body, caller)),
  route(installationCalls.remove, ({ body, caller }) => removeInstallation(db, body, caller)),
  ...exportRoutes(db, installationExport),
]
