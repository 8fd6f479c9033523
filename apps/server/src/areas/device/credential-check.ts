import type { DeviceAddress } from '@tocsin/protocol/topics'
import { verifySign, type SignedRequest } from '@tocsin/protocol/sign'
import { timingSafeEqual } from 'node:crypto'
import type { Db } from '#db/db'
import { everything } from '#db/scope'
import { unseal } from '#db/sealed'
import type { Row } from '#db/tables'
import { secretHash } from './credential.ts'

/** A device as the gateway knows it while it is connected. */
export type KnownDevice = DeviceAddress &
  Pick<Row<'device'>, 'id' | 'schoolId' | 'deptId'> &
  Pick<Row<'deviceModel'>, 'kind' | 'heartbeatSec'>

type Found = KnownDevice & Pick<Row<'device'>, 'lifecycle'> & { hashes: Buffer[]; httpKeys: Buffer[] }
export type Refused = 'UNKNOWN_SN' | 'BAD_SECRET' | 'RETIRED'
export type Verdict = { device: KnownDevice } | { refused: Refused }

/** Two are valid while a secret is rotated. */
const VALID_AT_ONCE = 2
const NOBODY = Buffer.alloc(32)

const find = async (db: Db, { productKey, sn }: DeviceAddress): Promise<Found | undefined> => {
  const rows = await everything(db, 'a device proves who it is')
    .selectFrom('device')
    .innerJoin('deviceModel', 'deviceModel.id', 'device.modelId')
    .leftJoin('deviceCredential', (join) =>
      join
        .onRef('deviceCredential.deviceId', '=', 'device.id')
        .on((eb) =>
          eb.or([
            eb('deviceCredential.expiresAt', 'is', null),
            eb('deviceCredential.expiresAt', '>', eb.fn<Date>('now', [])),
          ]),
        ),
    )
    .select(['device.id', 'device.sn', 'device.schoolId', 'device.deptId', 'device.lifecycle'])
    .select(['deviceModel.productKey', 'deviceModel.kind', 'deviceModel.heartbeatSec'])
    .select(['deviceCredential.secretHash', 'deviceCredential.httpKeySealed'])
    .where('device.sn', '=', sn)
    .where('deviceModel.productKey', '=', productKey)
    .orderBy('deviceCredential.id', 'desc')
    .limit(VALID_AT_ONCE)
    .execute()
  const [first] = rows
  if (!first) return undefined
  const { secretHash: _hash, httpKeySealed: _key, ...device } = first
  return {
    ...device,
    hashes: rows.flatMap((row) => row.secretHash ?? []),
    httpKeys: rows.flatMap((row) => row.httpKeySealed ?? []),
  }
}

const judge = (found: Found | undefined, proven: boolean): Verdict => {
  if (!found) return { refused: 'UNKNOWN_SN' }
  if (!proven) return { refused: 'BAD_SECRET' }
  const { hashes: _hashes, httpKeys: _keys, lifecycle, ...device } = found
  return lifecycle === 'RETIRED' ? { refused: 'RETIRED' } : { device }
}

/** As many comparisons for a stranger as for a device with two secrets: time tells nobody which numbers exist. */
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
export const checkSecret = async (db: Db, address: DeviceAddress, secret: Uint8Array): Promise<Verdict> => {
  const found = await find(db, address)
  const given = secretHash(secret)
  return judge(
    found,
    anyOf(found?.hashes ?? [], (hash) => timingSafeEqual(hash, given)),
  )
}

export type SignedBy = { address: DeviceAddress; request: SignedRequest; given: string }

/** Whether a request is signed with a valid key of the device. @param key unseals the keys of 'device-http-key'. */
export const checkSign = async (db: Db, key: Uint8Array, { address, request, given }: SignedBy): Promise<Verdict> => {
  const found = await find(db, address)
  const keys = (found?.httpKeys ?? []).map((sealed) => unseal(key, sealed) ?? NOBODY)
  return judge(
    found,
    anyOf(keys, (candidate) => verifySign(candidate, request, given)),
  )
}

/** A device whose word was proven elsewhere, by an external broker. */
export const findDevice = async (db: Db, address: DeviceAddress): Promise<Verdict> =>
  judge(await find(db, address), true)
