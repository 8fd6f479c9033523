import { sql } from 'kysely'
import type { Db } from '#db/db'
import { unscoped } from '#db/scope'
import type { Row } from '#db/tables'
import { type DemoKeys, deriveDemoSecret } from './demo-keys.ts'
import type { demoSchools } from './demo-data.ts'
import { makeInstallation, makeDevice } from './fixtures.ts'

type School = (typeof demoSchools)[number]
export const gatewayOf = ({ code }: School) => `${code}-G1`

/** Corners of a school's grounds, at a realistic distance from its centre. */
const CORNERS = [
  [-0.0012, -0.0008],
  [0.0011, -0.0009],
  [0.0014, 0.0002],
  [0.0009, 0.001],
  [-0.0011, 0.0009],
  [-0.0012, -0.0008],
] as const

const round = (degrees: number) => Number(degrees.toFixed(6))

export const fenceOf = ({ lng, lat }: School) => ({
  type: 'Polygon' as const,
  coordinates: [CORNERS.map(([east, north]): [number, number] => [round(lng + east), round(lat + north)])],
})

type Place = { schoolId: number; id: number; name: string }
type Built = { school: School; keys: DemoKeys; models: Record<'gateway' | 'camera', Pick<Row<'deviceModel'>, 'id'>> }

/** Creates the gateway of the school in service, with the devices of the rooms as its children. */
export const buildGateway = async (trx: Db, { school, keys, models }: Built, place: Place): Promise<number> => {
  const sn = gatewayOf(school)
  const secret = deriveDemoSecret(keys.secrets, `device ${sn}`)
  const { device } = await makeDevice(trx, { sn, modelId: models.gateway.id, key: keys.http, secret })
  await makeInstallation(trx, device, place)
  return device.id
}

/** Cameras at these places: installed, but not in service, because no camera platform is connected to a demo. */
export const buildCameras = async (trx: Db, { school, keys, models }: Built, places: readonly Place[]) => {
  const all = unscoped(trx, 'the seed acts for nobody in particular')
  for (const [at, { schoolId, id: placeId }] of places.entries()) {
    const sn = `${school.code}-C${at + 1}`
    const given = { sn, modelId: models.camera.id, schoolId, lifecycle: 'COMMISSIONING' as const }
    const { device } = await makeDevice(trx, {
      ...given,
      gbCode: `42010600001320${String(placeId).padStart(6, '0')}`,
      key: keys.http,
    })
    await all
      .insertInto('schoolDevice')
      .values({ deviceId: device.id, schoolId, placeId, status: 'INSTALLED', installedAt: sql<Date>`now()` })
      .execute()
    const camera = { cameraIds: [device.id] }
    await all.updateTable('place').set(camera).where('id', '=', placeId).execute()
    await all
      .updateTable('schoolDevice')
      .set(camera)
      .where('placeId', '=', placeId)
      .where('deviceId', '!=', device.id)
      .execute()
  }
}

/** Rooms side by side along a corridor, as on the plan of their floor. */
export const outlineOf = (order: number, rooms: number): [number, number][] => {
  const [left, right] = [round(order / rooms), round((order + 1) / rooms)]
  return [
    [left, 0.1],
    [right, 0.1],
    [right, 0.6],
    [left, 0.6],
  ]
}
