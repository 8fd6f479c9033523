import { type PackageKind, signedText } from '@tocsin/contract/device/rollout/rollout'
import type { RolloutDeviceState, RolloutState } from '@tocsin/contract/device/rollout/rollout-machine'
import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { ringAt } from '#areas/device/rollout/rollout-verbs'
import { insertFile, storeContent } from '#areas/files/store-file'
import type { Db } from '#db/db'
import { unscoped } from '#db/scope'

// Updates over the air in the demo: one that is complete and one that its gate has halted.

type Seed = {
  name: string
  kind: PackageKind
  /** The kind of devices that the package is for. */
  model: 'PANIC_BUTTON' | 'VOICE_TERMINAL'
  release: string
  notes: string
  state: RolloutState
  ring: number
  reason: string | null
  daysAgo: number
  deviceState: (ring: number, at: number) => RolloutDeviceState
}

const seeds: readonly Seed[] = [
  {
    name: '关键词包 2026.10',
    kind: 'KEYWORD_PACK',
    model: 'VOICE_TERMINAL',
    release: '2026.10',
    notes: '增加方言求助词，减少广播引起的误报。',
    state: 'COMPLETED',
    ring: 4,
    reason: null,
    daysAgo: 12,
    deviceState: () => 'UPDATED',
  },
  {
    name: '按钮固件 2.5.0',
    kind: 'FIRMWARE',
    model: 'PANIC_BUTTON',
    release: '2.5.0',
    notes: '改进信号弱时的重发。',
    state: 'HALTED',
    ring: 2,
    reason: '33.3% > 2%',
    daysAgo: 2,
    deviceState: (ring, at) => (ring > 2 ? 'QUEUED' : at === 1 ? 'FAILED' : 'UPDATED'),
  },
]

const daysAgo = (days: number) => sql<Date>`now() - make_interval(secs => ${days * 86_400})`

type Context = { folder: string; privateKey: KeyObject; maintainer: number; lead: number }

const addPackage = async (
  trx: Db,
  { folder, privateKey, maintainer }: Context,
  seed: Seed & { modelId: number; productKey: string },
) => {
  const path = join(folder, `${seed.kind.toLowerCase()}-${seed.release}.txt`)
  const text = `demo package ${seed.kind} ${seed.release}\n`
  writeFileSync(path, text)
  const content = await storeContent(trx, path)
  const { name, size } = { name: path.slice(folder.length + 1), size: Buffer.byteLength(text) }
  const file = await insertFile(trx, content, { name, size, type: 'text/plain', owner: maintainer, purpose: 'DRAFT' })
  const sha256 = content.sha256.toString('hex')
  const program = await trx
    .insertInto('programPackage')
    .values({
      kind: seed.kind,
      modelId: seed.modelId,
      release: seed.release,
      notes: seed.notes,
      fileId: file.id,
      fileName: name,
      size,
      sha256,
      signature: sign(null, Buffer.from(signedText({ ...seed, sha256 })), privateKey).toString('base64'),
      createdBy: maintainer,
      createdAt: daysAgo(seed.daysAgo + 1),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await trx
    .insertInto('attachment')
    .values({ ownerType: 'program_package', ownerId: program.id, fileId: file.id, kind: 'FILE', createdBy: maintainer })
    .execute()
  return program.id
}

const buildRollout = async (trx: Db, context: Context, seed: Seed): Promise<void> => {
  const all = unscoped(trx, 'the demo data belongs to every department')
  const devices = await all
    .selectFrom('device')
    .innerJoin('deviceModel', 'deviceModel.id', 'device.modelId')
    .select(['device.id', 'device.modelId', 'deviceModel.productKey'])
    .where('deviceModel.kind', '=', seed.model)
    .where('device.lifecycle', '=', 'IN_SERVICE')
    .orderBy((eb) => eb.fn('md5', [eb.ref('device.sn')]))
    .execute()
  const [first] = devices
  if (!first) return
  const { modelId, productKey } = first
  const packageId = await addPackage(trx, context, { ...seed, modelId, productKey })
  const { name, kind, state, ring, reason } = seed
  const rollout = await trx
    .insertInto('rollout')
    .values({
      name,
      packageId,
      kind,
      modelId,
      state,
      ring,
      reason,
      maxBadPct: 2,
      creator: context.maintainer,
      approvedBy: context.lead,
      startedAt: daysAgo(seed.daysAgo),
      endedAt: daysAgo(seed.daysAgo - 0.5),
      createTime: daysAgo(seed.daysAgo + 1),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await all
    .insertInto('rolloutDevice')
    .values(
      devices.map(({ id: deviceId }, at) => {
        const own = ringAt(at, devices.length)
        const reached = seed.deviceState(own, at)
        const error = reached === 'FAILED' ? 'SIGNATURE' : null
        return {
          rolloutId: rollout.id,
          deviceId,
          ring: own,
          state: reached,
          error,
          attempts: reached === 'QUEUED' ? 0 : 1,
          changedAt: daysAgo(seed.daysAgo - 0.5),
        }
      }),
    )
    .execute()
}

/** Runs once, in the process of the server, where the file store is configured. */
export const buildRollouts = async (db: Db): Promise<void> => {
  if (await db.selectFrom('programPackage').select('id').executeTakeFirst()) return
  const people = await unscoped(db, 'the demo data belongs to every department')
    .selectFrom('users')
    .select(['id', 'username'])
    .where('username', 'in', ['maintainer', 'lead'])
    .execute()
  const idOf = (username: string) => people.find((person) => person.username === username)?.id
  const [maintainer, lead] = [idOf('maintainer'), idOf('lead')]
  if (maintainer === undefined || lead === undefined) return
  const keys = generateKeyPairSync('ed25519')
  const publicKey = Buffer.from(String(keys.publicKey.export({ format: 'jwk' }).x), 'base64url').toString('base64')
  const folder = mkdtempSync(join(tmpdir(), 'tocsin-demo-'))
  try {
    await db.transaction().execute(async (trx) => {
      for (const seed of seeds) await buildRollout(trx, { folder, privateKey: keys.privateKey, maintainer, lead }, seed)
      await trx
        .updateTable('config')
        .set({ value: publicKey })
        .where('key', '=', 'ota.public-key')
        .where('value', '=', '')
        .execute()
    })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
