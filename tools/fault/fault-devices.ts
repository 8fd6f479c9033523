import pg from 'pg'
import {
  makeInstallation,
  makeDept,
  makeDevice,
  makeModel,
  makePlace,
  makeSchool,
} from '../../apps/server/seed/fixtures.ts'
import { type Db, openDb, readTypes } from '../../apps/server/src/db/db.ts'
import { deriveKey } from '../../apps/server/src/db/master-key.ts'
import type { Credential } from '../simulator/fleet-file.ts'

const AT_ONCE = 4

export type Access = { pool: pg.Pool; db: Db }

/** A connection to the database beside the server's own. */
export const openAccess = (connection: pg.PoolConfig): Access => {
  const pool = new pg.Pool({ max: AT_ONCE, ...connection, types: readTypes })
  // A killed PostgreSQL breaks idle connections; the next query gets a new one, or the error.
  pool.on('error', () => undefined)
  return { pool, db: openDb(pool) }
}

/** Heartbeat interval of the devices, and the silence after which they count as lost. */
export type HeartbeatTerms = { heartbeatSec: number; offlineAfterSec: number }

/**
 * Creates a school with one room that has so many devices in service. `loadMasterKey` returns the server's key, for
 * encryption.
 */
export const makeDevices = async (
  { db }: Access,
  masterKey: Buffer,
  count: number,
  terms: Partial<HeartbeatTerms> = {},
): Promise<Credential[]> => {
  const key = deriveKey(masterKey, 'device-http-key')
  const model = await makeModel(db, terms)
  const bureau = await makeDept(db)
  const school = await makeSchool(db, { eduDeptId: bureau.id })
  const place = await makePlace(db, { schoolId: school.id })
  const createDevice = async (): Promise<Credential> => {
    const { device, secret } = await makeDevice(db, { key, modelId: model.id, deptId: school.deptId })
    await makeInstallation(db, device, place)
    return { productKey: model.productKey, sn: device.sn, secret: Buffer.from(secret, 'base64url') }
  }
  const made: Credential[] = []
  const lane = async (): Promise<void> => {
    while (made.length < count) {
      const slot = made.push({ productKey: '', sn: '', secret: Buffer.alloc(0) }) - 1
      made[slot] = await createDevice()
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, lane))
  return made
}
