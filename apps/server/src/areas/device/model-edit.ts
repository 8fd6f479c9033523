import { codes } from '@tocsin/contract/codes'
import { labelIn } from '@tocsin/contract/field'
import { type DeviceModel, DeviceModelDraft, lockedModelFields, unpressedKinds } from '@tocsin/contract/device/model'
import { AlarmCode } from '@tocsin/protocol/alarm'
import { sql } from 'kysely'
import { fieldError } from '#areas/audit/edit-transaction'
import { canonicalJson } from '#db/canonical-json'
import { registerConstraintErrors } from '#db/constraint-error'
import type { Db } from '#db/db'
import { unscoped } from '#db/scope'
import { BusinessError } from '#http/business-error'

registerConstraintErrors({
  device_model_product_key_key: { code: codes.duplicate, params: { field: '产品标识' } },
  device_model_name_key: { code: codes.duplicate, params: { field: '型号名称' } },
  device_model_id_fkey: { code: codes.referred, params: { what: '设备型号' } },
})

const isRising = (curve: NonNullable<DeviceModelDraft['batteryCurve']>): boolean =>
  curve.every(({ mv, pct }, at) => {
    const before = curve[at - 1]
    return !before || (mv > before.mv && pct >= before.pct)
  })

/** Rules over several fields. */
export const checkModel = ({
  heartbeatSec,
  offlineAfterSec,
  batteryCurve,
  kind,
  alarmCodes,
}: DeviceModelDraft): void => {
  // Without a code that exists, no press of such a device could ever prove it.
  if (!unpressedKinds.includes(kind) && !alarmCodes.some((code) => AlarmCode.safeParse(code).success))
    throw fieldError(DeviceModelDraft, 'alarmCodes', alarmCodes.length === 0 ? 'required' : 'choice')
  if (offlineAfterSec <= heartbeatSec)
    throw fieldError(DeviceModelDraft, 'offlineAfterSec', 'tooSmall', heartbeatSec + 1)
  if (batteryCurve && !isRising(batteryCurve)) throw fieldError(DeviceModelDraft, 'batteryCurve', 'format')
}

/** The driver writes a list as an SQL array; these columns are one JSON value. */
export const toModelColumns = ({
  batteryCurve,
  capabilities,
  commandSchema,
  ...columns
}: Partial<DeviceModelDraft>) => ({
  ...columns,
  ...(batteryCurve !== undefined && {
    batteryCurve: batteryCurve && sql<typeof batteryCurve>`${JSON.stringify(batteryCurve)}::jsonb`,
  }),
  ...(capabilities !== undefined && { capabilities: sql<typeof capabilities>`${JSON.stringify(capabilities)}::jsonb` }),
  ...(commandSchema !== undefined && {
    commandSchema: sql<typeof commandSchema>`${JSON.stringify(commandSchema)}::jsonb`,
  }),
})

const countDevices = async (trx: Db, modelId: number): Promise<number> => {
  const { count } = await unscoped(trx, 'whether a model is in use does not depend on who asks')
    .selectFrom('device')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('modelId', '=', modelId)
    .executeTakeFirstOrThrow()
  return count
}

const isLockedChange = (field: (typeof lockedModelFields)[number], before: DeviceModel, after: DeviceModelDraft) => {
  // A new code affects only future signals.
  if (field === 'alarmCodes') return before.alarmCodes.some((alarmCode) => !after.alarmCodes.includes(alarmCode))
  return canonicalJson(before[field]) !== canonicalJson(after[field])
}

/** Rejects what would change how stored signals of existing devices read. */
export const checkLocked = async (trx: Db, before: DeviceModel, after: DeviceModelDraft): Promise<void> => {
  const changed = lockedModelFields.filter((field) => isLockedChange(field, before, after))
  if (changed.length === 0) return
  const count = await countDevices(trx, before.id)
  const fields = changed.map((field) => labelIn('zh-cn', DeviceModelDraft.shape[field])).join('、')
  if (count > 0) throw new BusinessError(codes.modelLocked, { count, fields })
}
