import type { DeviceAddress } from '@tocsin/protocol/topics'
import { findDevice, type KnownDevice } from '#areas/device/credential-check'
import type { Db } from '#db/db'
import { unscoped } from '#db/scope'
import type { GatewayDeps } from '../deps.ts'

/** Whose topic a message goes to; `childSn` where that is a gateway and the message is for a child of its. */
export type DeviceRoute = { address: DeviceAddress; childSn?: string }

const KNOWN_MS = 5000
const KNOWN_MOST = 100_000

/** Answers kept for some seconds. */
const createExpiringCache = <K, V>() => {
  const kept = new Map<K, { value: V; until: number }>()
  return {
    get: (key: K): V | undefined => {
      const found = kept.get(key)
      return found && found.until > performance.now() ? found.value : undefined
    },
    set: (key: K, value: V): V => {
      if (kept.size > KNOWN_MOST) kept.clear()
      kept.set(key, { value, until: performance.now() + KNOWN_MS })
      return value
    },
  }
}

/**
 * A broker tells nobody who listens: what is for a child goes to its own topic and to its gateway's, and is dropped
 * where it is not read.
 */
const findRoutes = async (db: Db, deviceId: number): Promise<DeviceRoute[]> => {
  const found = await unscoped(db, 'a message goes to a device')
    .selectFrom('device')
    .innerJoin('deviceModel', 'deviceModel.id', 'device.modelId')
    .leftJoin('device as gateway', (join) =>
      join
        .onRef('gateway.id', '=', 'device.gatewayId')
        .onRef('gateway.schoolId', 'is not distinct from', 'device.schoolId')
        .on('gateway.lifecycle', '!=', 'RETIRED'),
    )
    .leftJoin('deviceModel as gatewayModel', 'gatewayModel.id', 'gateway.modelId')
    .select(['deviceModel.productKey', 'device.sn', 'gatewayModel.productKey as gatewayKey', 'gateway.sn as gatewaySn'])
    .where('device.id', '=', deviceId)
    .executeTakeFirst()
  if (!found) return []
  const { productKey, sn, gatewayKey, gatewaySn } = found
  const own = { address: { productKey, sn } }
  if (gatewayKey === null || gatewaySn === null) return [own]
  return [own, { address: { productKey: gatewayKey, sn: gatewaySn }, childSn: sn }]
}

/** Devices by their topic, whose broker has proven who they are, and where they are reached. */
export const createDeviceDirectory = ({ db, screenDb, strangers }: GatewayDeps) => {
  const known = createExpiringCache<string, KnownDevice>()
  const routes = createExpiringCache<number, DeviceRoute[]>()
  return {
    find: async ({ productKey, sn }: DeviceAddress): Promise<KnownDevice | undefined> => {
      const key = `${productKey}/${sn}`
      const before = known.get(key)
      if (before) return before
      const verdict = await findDevice(db, { productKey, sn })
      if ('refused' in verdict) {
        strangers.note({ productKey, sn, ip: 'broker', reason: verdict.refused })
        return undefined
      }
      const { device } = verdict
      // Its receipt asks nobody where it is.
      if (device.gatewayId === null) routes.set(device.id, [{ address: { productKey, sn } }])
      return known.set(key, device)
    },
    routesTo: async (deviceId: number): Promise<DeviceRoute[]> =>
      routes.get(deviceId) ?? routes.set(deviceId, await findRoutes(screenDb, deviceId)),
  }
}

export type DeviceDirectory = ReturnType<typeof createDeviceDirectory>
