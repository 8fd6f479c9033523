import { codes } from '@tocsin/contract/codes'
import { type InstallationVerb, installationRule } from '@tocsin/contract/device/installation'
import { sql } from 'kysely'
import { writeAudit } from '#areas/audit/audit'
import { toAuditState } from '#areas/audit/edit-transaction'
import type { Db } from '#db/db'
import { unscoped } from '#db/scope'
import type { Row } from '#db/tables'
import { BusinessError } from '#http/business-error'
import type { ActingCaller } from '../lifecycle/transition.ts'

type Installation = Row<'schoolDevice'>

export const auditInstallation = (
  trx: Db,
  caller: ActingCaller,
  { action, before, after }: { action: string; before?: Installation; after: Installation },
): Promise<void> =>
  writeAudit(trx, {
    actor: caller?.actor ?? null,
    origin: caller?.origin ?? null,
    action,
    subject: 'school_device',
    subjectId: after.id,
    before: before ? toAuditState(before) : null,
    after: toAuditState(after),
  })

export const updateInstallation = (trx: Db, caller: ActingCaller, { id }: Installation, set: Partial<Installation>) =>
  unscoped(trx, 'locked before')
    .updateTable('schoolDevice')
    .set({
      ...set,
      version: sql<number>`version + 1`,
      updateTime: sql<Date>`now()`,
      updater: caller?.actor.userId ?? null,
    })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()

type Step = { verb: InstallationVerb; set?: Partial<Installation> }

/** Applies the next status of the machine to a locked installation, with audit. An ended one never changes again. */
export const setInstallationStatus = async (
  trx: Db,
  caller: ActingCaller,
  before: Installation,
  { verb, set = {} }: Step,
): Promise<Installation> => {
  const { from, to, permission } = installationRule(verb)
  if (!from.includes(before.status)) throw new BusinessError(codes.installationState, { state: before.status })
  const after = await updateInstallation(trx, caller, before, { ...set, status: to })
  await auditInstallation(trx, caller, { action: permission, before, after })
  return after
}

/** Ends an installation: its device is no longer installed, and old alarms keep this place. */
export const endInstallation = async (
  trx: Db,
  caller: ActingCaller,
  before: Installation,
  verb: 'move' | 'remove',
): Promise<void> => {
  await setInstallationStatus(trx, caller, before, { verb, set: { suspendedUntil: null } })
  await unscoped(trx, 'locked before')
    .updateTable('schoolDevice')
    .set({ validTo: sql<Date>`greatest(now(), valid_from)` })
    .where('id', '=', before.id)
    .execute()
}
