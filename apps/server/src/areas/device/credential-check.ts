import type { DeviceAddress } from '@tocsin/protocol/topics'
import { verifySign, type SignedRequest } from '@tocsin/protocol/sign'
import { sql } from 'kysely'
import { timingSafeEqual } from 'node:crypto'
import type { Db } from '#db/db'
import { unscoped } from '#db/scope'
import { decrypt } from '#db/encryption'
import type { Row } from '#db/tables'
import { isDatabaseUnavailable } from '#http/errors'
import { secretHash } from './credential.ts'

/** The gateway's data of a connected device. */
export type KnownDevice = DeviceAddress &
  Pick<Row<'device'>, 'id' | 'schoolId' | 'deptId' | 'gatewayId'> &
  Pick<Row<'deviceModel'>, 'kind' | 'heartbeatSec'>

type Found = KnownDevice & Pick<Row<'device'>, 'lifecycle'> & { hashes: Buffer[]; httpKeys: Buffer[] }
export type CredentialFailure = 'UNKNOWN_SN' | 'BAD_SECRET' | 'RETIRED'
export type CredentialResult = { device: KnownDevice } | { refused: CredentialFailure }

/** A rotation leaves the old secret valid for a day; this many may be issued within one day without losing it. */
const VALID_AT_ONCE = 4
const NOBODY = Buffer.alloc(32)

/** Maximum devices of one lookup query. */
const MOST = 256

type FoundRow = Omit<Found, 'hashes' | 'httpKeys'> & { secretHash: Buffer | null; httpKeySealed: Buffer | null }

/** Each lookup is a lateral one: prepared plans must not depend on an early small table. */
const findAll = async (db: Db, request: readonly DeviceAddress[]): Promise<(Found | undefined)[]> => {
  const { rows } = await sql<FoundRow>`
    select d.id, d.sn, d.school_id, d.dept_id, d.gateway_id, d.lifecycle, m.product_key, m.kind, m.heartbeat_sec,
      c.secret_hash, c.http_key_sealed
    from device d cross join lateral (
      select product_key, kind, heartbeat_sec from device_model where id = d.model_id limit 1
    ) m left join lateral (
      select secret_hash, http_key_sealed from device_credential
      where device_id = d.id and (expires_at is null or expires_at > now())
      order by id desc limit ${sql.lit(VALID_AT_ONCE)}
    ) c on true
    where d.sn = any(${request.map(({ sn }) => sn)})`.execute(unscoped(db, 'devices prove who they are'))
  const found = Map.groupBy(rows, ({ sn }) => sn)
  return request.map(({ productKey, sn }) => {
    const own = found.get(sn) ?? []
    const [first] = own
    if (first?.productKey !== productKey) return undefined
    const { secretHash: _hash, httpKeySealed: _key, ...device } = first
    return {
      ...device,
      hashes: own.flatMap((row) => row.secretHash ?? []),
      httpKeys: own.flatMap((row) => row.httpKeySealed ?? []),
    }
  })
}

type Asking = { address: DeviceAddress; resolve: (found: Found | undefined) => void; reject: (error: unknown) => void }
type Queue = { waiting: Asking[]; running: boolean }
const queues = new WeakMap<Db, Queue>()

const drain = async (db: Db, queue: Queue): Promise<void> => {
  queue.running = true
  while (queue.waiting.length > 0) {
    const some = queue.waiting.splice(0, MOST)
    try {
      const found = await findAll(
        db,
        some.map(({ address }) => address),
      )
      for (const [i, { resolve }] of some.entries()) resolve(found[i])
    } catch (error) {
      // When the database is unavailable all queued checks fail at once instead of in turn.
      const others = isDatabaseUnavailable(error) ? queue.waiting.splice(0) : []
      for (const { reject } of [...some, ...others]) reject(error)
    }
  }
  queue.running = false
}

/**
 * One query at a time for all concurrent checks: thousands of devices reconnect at once after an outage, and their
 * alarms need the same few connections.
 */
const find = (db: Db, address: DeviceAddress): Promise<Found | undefined> =>
  new Promise((resolve, reject) => {
    const queue = queues.get(db) ?? { waiting: [], running: false }
    queues.set(db, queue)
    queue.waiting.push({ address, resolve, reject })
    if (!queue.running) void drain(db, queue)
  })

const judge = (found: Found | undefined, proven: boolean): CredentialResult => {
  if (!found) return { refused: 'UNKNOWN_SN' }
  if (!proven) return { refused: 'BAD_SECRET' }
  const { hashes: _hashes, httpKeys: _keys, lifecycle, ...device } = found
  return lifecycle === 'RETIRED' ? { refused: 'RETIRED' } : { device }
}

/**
 * An unknown device costs as many comparisons as one with two secrets: timing does not reveal which serial numbers
 * exist.
 */
const anyOf = (candidates: readonly Buffer[], matches: (candidate: Buffer) => boolean): boolean => {
  let proven = false
  for (let n = 0; n < VALID_AT_ONCE; n += 1) {
    const candidate = candidates[n]
    const matched = matches(candidate ?? NOBODY)
    if (candidate && matched) proven = true
  }
  return proven
}

/** Whether `secret`, the 32 bytes, is one of the device's valid ones. */
export const checkSecret = async (db: Db, address: DeviceAddress, secret: Uint8Array): Promise<CredentialResult> => {
  const found = await find(db, address)
  const given = secretHash(secret)
  return judge(
    found,
    anyOf(found?.hashes ?? [], (hash) => timingSafeEqual(hash, given)),
  )
}

export type SignedDeviceRequest = { address: DeviceAddress; request: SignedRequest; given: string }

/** Whether a request is signed with a valid key of the device. @param key decrypts the keys of 'device-http-key' */
export const checkSign = async (
  db: Db,
  key: Uint8Array,
  { address, request, given }: SignedDeviceRequest,
): Promise<CredentialResult> => {
  const found = await find(db, address)
  const keys = (found?.httpKeys ?? []).map((sealed) => decrypt(key, sealed) ?? NOBODY)
  return judge(
    found,
    anyOf(keys, (candidate) => verifySign(candidate, request, given)),
  )
}

/** A device that an external broker authenticated. */
export const findDevice = async (db: Db, address: DeviceAddress): Promise<CredentialResult> =>
  judge(await find(db, address), true)
