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

type Credential = Pick<Row<'deviceCredential'>, 'id' | 'secretHash' | 'httpKeySealed' | 'lastUsedAt'>
type Found = KnownDevice & Pick<Row<'device'>, 'lifecycle'> & { credentials: Credential[] }
export type CredentialFailure = 'UNKNOWN_SN' | 'BAD_SECRET' | 'RETIRED'
/**
 * `credentialId` is the secret that was proven; null where an external broker checked it. `useStored` resolves when its use is
 * stored, for which no alarm waits.
 */
export type CredentialResult =
  | { device: KnownDevice; credentialId: number | null; useStored: Promise<void> }
  | { refused: CredentialFailure }

/** Compared at most: the secret that the device used last, and the newest ones. */
const VALID_AT_ONCE = 4
const NOBODY = Buffer.alloc(32)

/** Maximum devices of one lookup query. */
const MOST = 256

type FoundRow = Omit<Found, 'credentials'> & { credential: Credential['id'] | null } & Omit<Credential, 'id'>

/** Each lookup is a lateral one: prepared plans must not depend on an early small table. */
const findAll = async (db: Db, request: readonly DeviceAddress[]): Promise<(Found | undefined)[]> => {
  const { rows } = await sql<FoundRow>`
    select d.id, d.sn, d.school_id, d.dept_id, d.gateway_id, d.lifecycle, m.product_key, m.kind, m.heartbeat_sec,
      c.id as credential, c.secret_hash, c.http_key_sealed, c.last_used_at
    from device d cross join lateral (
      select product_key, kind, heartbeat_sec from device_model where id = d.model_id limit 1
    ) m left join lateral (
      select id, secret_hash, http_key_sealed, last_used_at from device_credential
      where device_id = d.id and (expires_at is null or expires_at > now())
      order by id is not distinct from (
        select id from device_credential
        where device_id = d.id and (expires_at is null or expires_at > now()) and last_used_at is not null
        order by last_used_at desc, id desc limit 1
      ) desc, id desc limit ${sql.lit(VALID_AT_ONCE)}
    ) c on true
    where d.sn = any(${request.map(({ sn }) => sn)})`.execute(unscoped(db, 'devices prove who they are'))
  const found = Map.groupBy(rows, ({ sn }) => sn)
  return request.map(({ productKey, sn }) => {
    const own = found.get(sn) ?? []
    const [first] = own
    if (first?.productKey !== productKey) return undefined
    const { credential: _id, secretHash: _hash, httpKeySealed: _key, lastUsedAt: _used, ...device } = first
    const credentials = own.flatMap(({ credential: id, secretHash: hash, httpKeySealed, lastUsedAt }) =>
      id === null ? [] : { id, secretHash: hash, httpKeySealed, lastUsedAt },
    )
    return { ...device, credentials }
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

/** @param proven the secret that was proven; null when somebody else checked it, undefined when none was. */
const judge = (found: Found | undefined, proven: Credential | null | undefined): CredentialResult => {
  if (!found) return { refused: 'UNKNOWN_SN' }
  if (proven === undefined) return { refused: 'BAD_SECRET' }
  const { credentials: _credentials, lifecycle, ...device } = found
  if (lifecycle === 'RETIRED') return { refused: 'RETIRED' }
  return { device, credentialId: proven?.id ?? null, useStored: Promise.resolve() }
}

/**
 * Stores that the device uses another secret than before; any other connection writes nothing. A failure refuses nobody:
 * the next connection stores it.
 */
const noteUse = async (db: Db, { credentials }: Found, used: Credential): Promise<void> => {
  const at = ({ lastUsedAt }: Credential) => lastUsedAt?.getTime() ?? 0
  if (used.lastUsedAt !== null && credentials.every((credential) => at(credential) <= at(used))) return
  await db
    .updateTable('deviceCredential')
    .set({ lastUsedAt: sql<Date>`now()` })
    // It does not wait for a rotation.
    .where('id', '=', (eb) =>
      eb.selectFrom('deviceCredential').select('id').where('id', '=', used.id).forNoKeyUpdate().skipLocked(),
    )
    .execute()
    .catch(() => undefined)
}

const conclude = (useDb: Db, found: Found | undefined, proven: Credential | undefined): CredentialResult => {
  const result = judge(found, proven)
  return found && proven && 'device' in result ? { ...result, useStored: noteUse(useDb, found, proven) } : result
}

/**
 * An unknown device costs as many comparisons as one with two secrets: timing does not reveal which serial numbers
 * exist.
 */
const anyOf = (
  found: Found | undefined,
  matches: (credential: Pick<Credential, 'secretHash' | 'httpKeySealed'>) => boolean,
): Credential | undefined => {
  let proven: Credential | undefined
  for (let n = 0; n < VALID_AT_ONCE; n += 1) {
    const candidate = found?.credentials[n]
    const isMatch = matches(candidate ?? { secretHash: NOBODY, httpKeySealed: NOBODY })
    if (candidate && isMatch) proven = candidate
  }
  return proven
}

/**
 * Whether `secret`, the 32 bytes, is one of the device's valid ones.
 * @param useDb stores its use; another pool than that of the alarms
 */
export const checkSecret = async (
  db: Db,
  address: DeviceAddress,
  secret: Uint8Array,
  useDb: Db = db,
): Promise<CredentialResult> => {
  const found = await find(db, address)
  const given = secretHash(secret)
  return conclude(
    useDb,
    found,
    anyOf(found, (credential) => timingSafeEqual(credential.secretHash, given)),
  )
}

export type SignedDeviceRequest = { address: DeviceAddress; request: SignedRequest; given: string; useDb: Db }

/** Whether a request is signed with a valid key of the device. @param key decrypts the keys of 'device-http-key' */
export const checkSign = async (
  db: Db,
  key: Uint8Array,
  { address, request, given, useDb }: SignedDeviceRequest,
): Promise<CredentialResult> => {
  const found = await find(db, address)
  return conclude(
    useDb,
    found,
    anyOf(found, ({ httpKeySealed }) => verifySign(decrypt(key, httpKeySealed) ?? NOBODY, request, given)),
  )
}

/** A device that an external broker authenticated. */
export const findDevice = async (db: Db, address: DeviceAddress): Promise<CredentialResult> =>
  judge(await find(db, address), null)
