import { codes } from '@tocsin/contract/codes'
import { PackageDraft, type PackageQuery, signedText } from '@tocsin/contract/device/rollout/rollout'
import { createPublicKey, verify } from 'node:crypto'
import { sql } from 'kysely'
import { writeAudit } from '#areas/audit/audit'
import { fieldError, runEdit, toAuditState } from '#areas/audit/edit-transaction'
import { addAttachments } from '#areas/files/attachment'
import { registerConstraintErrors } from '#db/constraint-error'
import type { Db, UnscopedDb } from '#db/db'
import { emitEvents } from '#db/event'
import { countCapped } from '#db/page'
import { unscoped } from '#db/scope'
import { type ListOrder, toOrderBy } from '#db/sort'
import { BusinessError } from '#http/business-error'
import type { Caller } from '#http/route'
import { toOffsetLimit } from '#http/time-window'
import { getSetting } from '#settings/settings-cache'

registerConstraintErrors({
  program_package_release_key: { code: codes.duplicate, params: { field: '版本号' } },
  program_package_model_id_fkey: { code: codes.referred, params: { what: '设备型号' } },
  rollout_model_id_fkey: { code: codes.referred, params: { what: '设备型号' } },
})

const PACKAGE_OWNER = 'program_package'

/** Ed25519: the device checks the same with the key it was made with. */
const isSignedBy = (publicKey: string, text: string, signature: string): boolean => {
  const x = Buffer.from(publicKey, 'base64').toString('base64url')
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
  return verify(null, Buffer.from(text), key, Buffer.from(signature, 'base64'))
}

/** Adds a package that the caller uploaded, after its hash and signature were checked. */
export const addPackage = async (db: Db, draft: PackageDraft, caller: Caller): Promise<number> => {
  const publicKey = await getSetting(db, 'ota.public-key')
  if (publicKey === '') throw new BusinessError(codes.packageKey)
  return runEdit(db, { userId: caller.actor.userId }, async (trx) => {
    const file = await unscoped(trx, 'the actor’s own uploads')
      .selectFrom('file')
      .select(['name', 'size', 'sha256'])
      .where('id', '=', draft.fileId)
      .where('ownerId', '=', caller.actor.userId)
      .executeTakeFirst()
    if (!file) throw fieldError(PackageDraft, 'fileId', 'choice')
    const model = await trx
      .selectFrom('deviceModel')
      .select('productKey')
      .where('id', '=', draft.modelId)
      .executeTakeFirst()
    if (!model) throw fieldError(PackageDraft, 'modelId', 'choice')
    if (Buffer.from(file.sha256).toString('hex') !== draft.sha256) throw new BusinessError(codes.packageHash)
    const text = signedText({ ...draft, productKey: model.productKey })
    if (!isSignedBy(publicKey, text, draft.signature)) throw new BusinessError(codes.packageSignature)
    const after = await trx
      .insertInto('programPackage')
      .values({
        ...draft,
        notes: draft.notes ?? null,
        fileName: file.name,
        size: file.size,
        createdBy: caller.actor.userId,
      })
      .returningAll()
      .executeTakeFirstOrThrow()
    await addAttachments(trx, {
      ownerType: PACKAGE_OWNER,
      ownerId: after.id,
      files: [{ fileId: draft.fileId }],
      actor: caller.actor,
    })
    await emitEvents(trx, { type: 'rollout.changed', ref: null })
    await writeAudit(trx, {
      ...caller,
      action: 'device:rollout:create',
      subject: 'program_package',
      subjectId: after.id,
      after: toAuditState(after),
    })
    return after.id
  })
}

const nameOf = (_all: UnscopedDb) =>
  sql<string | null>`(select nickname from users where users.id = program_package.created_by)`

/** Whether devices with the present key would take this package. */
export const hasValidSignature = (
  publicKey: string,
  row: Parameters<typeof signedText>[0] & { signature: string },
): boolean => publicKey !== '' && isSignedBy(publicKey, signedText(row), row.signature)

const order: ListOrder<PackageQuery> = {
  columns: {
    modelName: { by: sql`device_model.name` },
    size: { by: sql`program_package.size` },
    createdAt: { by: sql`program_package.created_at` },
  },
  usual: sql`program_package.id desc`,
  id: sql`program_package.id`,
}

export const pagePackages = async (db: Db, query: PackageQuery) => {
  const publicKey = await getSetting(db, 'ota.public-key')
  const { limit, offset } = toOffsetLimit(query)
  const found = db
    .selectFrom('programPackage')
    .innerJoin('deviceModel', 'deviceModel.id', 'programPackage.modelId')
    .$if(!!query.kind?.length, (q) => q.where('programPackage.kind', 'in', query.kind ?? []))
    .$if(query.modelId !== undefined, (q) => q.where('programPackage.modelId', '=', query.modelId ?? 0))
  const [list, total] = await Promise.all([
    found
      .selectAll('programPackage')
      .select([
        'deviceModel.name as modelName',
        'deviceModel.productKey',
        nameOf(unscoped(db, 'names of people who added packages')).as('createdByName'),
      ])
      .orderBy(toOrderBy(query.orderBy, order))
      .limit(limit)
      .offset(offset)
      .execute(),
    countCapped(db, found.select('programPackage.id')),
  ])
  const rows = list.map(({ productKey, ...row }) => ({
    ...row,
    isSignatureValid: hasValidSignature(publicKey, { ...row, productKey }),
  }))
  return { list: rows, ...total }
}
