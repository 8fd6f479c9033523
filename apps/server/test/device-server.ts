import { randomBytes } from 'node:crypto'
import { makePlace, makeSchool } from '../seed/fixtures.ts'
import { buttonTestRoutes } from '../src/areas/device/button-test/routes.ts'
import { audioRoutes } from '../src/areas/device/command/audio.ts'
import { commandRoutes } from '../src/areas/device/command/command.ts'
import { deviceRoutes } from '../src/areas/device/device.ts'
import { installationRoutes } from '../src/areas/device/installation/routes.ts'
import { deviceVerbRoutes } from '../src/areas/device/lifecycle/device-verbs.ts'
import { maintenanceRoutes } from '../src/areas/device/maintenance/routes.ts'
import { rolloutRoutes } from '../src/areas/device/rollout/routes.ts'
import { procedureRoutes } from '../src/areas/device/procedure/routes.ts'
import { modelEntity } from '../src/areas/device/model.ts'
import { registerDeviceRoutes } from '../src/areas/device/register/routes.ts'
import { schoolDeviceRoutes } from '../src/areas/device/school-device.ts'
import { readinessRoutes } from '../src/areas/insight/readiness/routes.ts'
import type { Db } from '../src/db/db.ts'
import { deriveKey } from '../src/db/master-key.ts'
import type { Route } from '../src/http/route.ts'
import { type AdminServer, startAdminServer } from './admin-server.ts'
import type { ApiResponse } from './console.ts'

export type DeviceServer = AdminServer & {
  masterKey: Buffer
  schoolId: number
  /** Two rooms of the school. */
  placeIds: [number, number]
  /** A model of panic buttons that supports two commands. */
  modelId: number
  /** Registers a device; @returns its id and secret. */
  register: (sn: string) => Promise<{ id: number; secret: string }>
  /** Applies a verb to a device or an installation with its present version. */
  act: (path: string, id: number, more?: object, token?: string) => Promise<ApiResponse>
  installationOf: (deviceId: number) => Promise<{ id: number; status: string; placeId: number; version: number }>
  lifecycleOf: (deviceId: number) => Promise<string>
  /** Stores a press of the device now, like the intake. */
  press: (deviceId: number) => Promise<void>
}

let presses = 0

const modelDraft = {
  productKey: 'testbtn01',
  vendor: '校安科技',
  name: 'B1',
  kind: 'PANIC_BUTTON',
  protocol: 'TOCSIN',
  power: 'BATTERY',
  alarmCodes: ['PANIC'],
  heartbeatSec: 30,
  offlineAfterSec: 90,
  batteryCurve: null,
  capabilities: { twoWayAudio: false, siren: false, led: true, keywordPack: false, ota: true, silent: true },
  commandSchema: { SELF_TEST: { type: 'object' }, LED: { type: 'object' } },
}
export const makeModelDraft = (more: object) => ({ ...modelDraft, ...more })

/** The calls about devices and `more`, with one school and a model. */
export const startDeviceServer = async (more: (db: Db) => Route[] = () => []): Promise<DeviceServer> => {
  const masterKey = randomBytes(32)
  const key = deriveKey(masterKey, 'device-http-key')
  const admin = await startAdminServer((db) => [
    ...modelEntity.routes({ db }),
    ...deviceRoutes({ db }),
    ...registerDeviceRoutes({ db, keys: { 'device-http-key': key } }),
    ...deviceVerbRoutes({ db }),
    ...schoolDeviceRoutes({ db }),
    ...installationRoutes({ db }),
    ...commandRoutes({ db }),
    ...audioRoutes({ db }),
    ...buttonTestRoutes({ db }),
    ...maintenanceRoutes({ db }),
    ...procedureRoutes({ db }),
    ...rolloutRoutes({ db }),
    ...readinessRoutes({ db }),
    ...more(db),
  ])
  const { all, call, site } = admin
  const school = await makeSchool(site.db, { eduDeptId: admin.here.deptId })
  const rooms = [await makePlace(site.db, { schoolId: school.id }), await makePlace(site.db, { schoolId: school.id })]
  const { data: modelId } = await call('POST', '/device/model/create', modelDraft)
  const installationOf: DeviceServer['installationOf'] = (deviceId) =>
    all
      .selectFrom('schoolDevice')
      .select(['id', 'status', 'placeId', 'version'])
      .where('deviceId', '=', deviceId)
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
  const versionOf = async (path: string, id: number) => {
    const table = path.includes('school-device')
      ? 'schoolDevice'
      : path.includes('maintenance/')
        ? 'maintenanceOrder'
        : path.includes('rollout/')
          ? 'rollout'
          : path.includes('procedure-run')
            ? 'procedureRun'
            : path.includes('procedure/')
              ? 'procedure'
              : path.includes('test/')
                ? 'testPlan'
                : 'device'
    const row = await all.selectFrom(table).select('version').where('id', '=', id).executeTakeFirst()
    return row?.version ?? 1
  }
  return {
    ...admin,
    masterKey,
    schoolId: school.id,
    placeIds: [rooms[0]?.id ?? 0, rooms[1]?.id ?? 0],
    modelId: modelId as unknown as number,
    register: async (sn) => {
      const { data } = await call('POST', '/device/device/create', { sn, modelId })
      return { id: data['id'] as unknown as number, secret: data['secret'] as unknown as string }
    },
    act: async (path, id, more = {}, token = admin.adminToken) =>
      call('POST', path, { id, version: await versionOf(path, id), ...more }, token),
    installationOf,
    lifecycleOf: async (id) =>
      (await all.selectFrom('device').select('lifecycle').where('id', '=', id).executeTakeFirstOrThrow()).lifecycle,
    press: async (deviceId) => {
      presses += 1
      await admin.pool.query(
        `insert into signal (device_id, event_id, kind, code, mode, via, occurred_at, suppressed, dept_id, school_id)
         select id, $2, 'ALARM', 'PANIC', 'LIVE', 'MQTT', now(), 'INFORMATION', dept_id, school_id
         from device where id = $1`,
        [deviceId, `press-of-the-test-${presses}`],
      )
    },
  }
}
