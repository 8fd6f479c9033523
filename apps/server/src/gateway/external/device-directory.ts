import type { DeviceAddress } from '@tocsin/protocol/topics'
import { findDevice, type KnownDevice } from '#areas/device/credential-check'
import type { Db } from '#db/db'
import { unscoped } from '#db/scope'
import type { GatewayDeps } from '../deps.ts'

/** The topic that a message is sent to. `childSn` is set when a gateway receives it for its child. */
export type DeviceRoute = { address: DeviceAddress; childSn?: string }

const KNOWN_MS = 5000
const KNOWN_MOST = 100_000

/** Caches answers for some seconds. */
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
 * A broker does not show who has subscribed. So a message for a child is sent to its own topic and to that of its gateway,
 * and the broker drops the one without a subscriber.
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

/** Finds devices by their topic, which the broker has authenticated, and the routes to them. */
export const createDeviceDirectory = ({ db, screenDb, refusedDevices }: GatewayDeps) => {
  const known = createExpiringCache<string, KnownDevice>()
  const routes = createExpiringCache<number, DeviceRoute[]>()
  return {
    find: async ({ productKey, sn }: DeviceAddress): Promise<KnownDevice | undefined> => {
      const key = `${productKey}/${sn}`
      const before = known.get(key)
      if (before) return before
      const verdict = await findDevice(db, { productKey, sn })
      if ('refused' in verdict) {
        refusedDevices.note({ productKey, sn, ip: 'broker', reason: verdict.refused })
        return undefined
      }
      const { device } = verdict
      // The receipt then needs no query.
      if (device.gatewayId === null) routes.set(device.id, [{ address: { productKey, sn } }])
      return known.set(key, device)
    },
    routesTo: async (deviceId: number): Promise<DeviceRoute[]> =>
      routes.get(deviceId) ?? routes.set(deviceId, await findRoutes(screenDb, deviceId)),
  }
}

export type DeviceDirectory = ReturnType<typeof createDeviceDirectory>
