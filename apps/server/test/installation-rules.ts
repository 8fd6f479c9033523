import type { Alarm } from '@tocsin/protocol/alarm'
import type { DeviceEvent } from '@tocsin/protocol/event'
import { expect } from 'vitest'
import { checkSecret } from '../src/areas/device/credential-check.ts'
import { secretHash } from '../src/areas/device/credential.ts'
import type { InstallationServer } from './installation-server.ts'

/** The secret that was proven last and the newest one open, unless the device was lost after they were made. */
export const checkSecrets = async (
  site: InstallationServer,
  { id, sn, secrets }: { id: number; sn: string; secrets: readonly string[] },
): Promise<void> => {
  const lifecycle = await site.lifecycleOf(id)
  const credentials = await site.all
    .selectFrom('deviceCredential')
    .select(['lastUsedAt', 'createdAt', 'secretHash'])
    .where('deviceId', '=', id)
    .orderBy('id')
    .execute()
  if (lifecycle === 'RETIRED') return expect(credentials).toEqual([])
  const lostAt = await site.all
    .selectFrom('deviceLog')
    .select('at')
    .where('deviceId', '=', id)
    .where('verb', '=', 'lost')
    .orderBy('at', 'desc')
    .executeTakeFirst()
  const ofLoss = (createdAt: Date) => lostAt !== undefined && createdAt <= lostAt.at
  const opens = async (secret: string) => {
    const given = Buffer.from(secret, 'base64url')
    const { createdAt } = credentials.find(({ secretHash: hash }) => secretHash(given).equals(hash)) ?? {}
    const isOpened = 'device' in (await checkSecret(site.site.db, { productKey: 'testbtn01', sn }, given))
    return { isOpened, isOfLoss: createdAt === undefined || ofLoss(createdAt), hash: secretHash(given) }
  }
  const lastUsed = credentials
    .filter(({ lastUsedAt }) => lastUsedAt !== null)
    .toSorted((a, b) => (a.lastUsedAt?.getTime() ?? 0) - (b.lastUsedAt?.getTime() ?? 0))
    .at(-1)
  for (const [at, secret] of secrets.entries()) {
    const { isOpened, isOfLoss, hash } = await opens(secret)
    if (isOfLoss) expect(isOpened).toBe(false)
    else if (at === secrets.length - 1 || lastUsed?.secretHash.equals(hash)) expect(isOpened).toBe(true)
  }
}

/** An expected press is one press, ends with what expected it, and hides no other; a button is reset by its last signal. */
export const checkExpectedPresses = async (
  site: InstallationServer,
  { id, sent }: { id: number; sent: readonly { message: Alarm | DeviceEvent }[] },
): Promise<void> => {
  const { rows } = await site.pool.query(
    `select record.id from warn_record record
       left join test_plan plan on plan.id = record.test_plan_id
       left join school_device site on site.id = record.school_device_id
       left join device on device.id = record.device_id
     where record.device_id = $1 and (record.commissioning or record.test_plan_id is not null) and (
       record.mode <> 'TEST' or record.occurrence_count <> 1
       or (select count(*) from signal where signal.record_id = record.id and kind = 'ALARM' and code <> 'CANCEL') <> 1
       or record.open and plan.closed_at is not null
       or record.open and record.commissioning and (site.valid_to is not null or device.lifecycle <> 'COMMISSIONING'))`,
    [id],
  )
  expect(rows).toEqual([])
  const open = (await site.recordsOf(id)).filter((record) => record.open && record.class === 'PANIC')
  const places = Map.groupBy(
    open.filter(({ mode }) => mode === 'LIVE'),
    ({ schoolId, placeId }) => `${schoolId}/${placeId}`,
  )
  for (const found of places.values())
    expect(found.filter(({ dedupKey }) => dedupKey.startsWith('device:'))).toHaveLength(1)
  const last = sent
    .filter(({ message }) => ('code' in message ? message.code === 'PANIC' : message.kind === 'MANUAL_RESET'))
    .toSorted((a, b) => a.message.seq - b.message.seq)
    .at(-1)
  const { latched } = await site.all
    .selectFrom('deviceState')
    .select('latched')
    .where('deviceId', '=', id)
    .executeTakeFirstOrThrow()
  expect(latched).toBe(last ? 'code' in last.message : null)
}
