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
  who: ActingCaller,
  { action, before, after }: { action: string; before?: Installation; after: Installation },
): Promise<void> =>
  writeAudit(trx, {
    actor: who?.actor ?? null,
    origin: who?.origin ?? null,
    action,
    subject: 'school_device',
    subjectId: after.id,
    before: before ? toAuditState(before) : null,
    after: toAuditState(after),
  })

export const updateInstallation = (trx: Db, who: ActingCaller, { id }: Installation, set: Partial<Installation>) =>
  unscoped(trx, 'locked before')
    .updateTable('schoolDevice')
    .set({
      ...set,
      version: sql<number>`version + 1`,
      updateTime: sql<Date>`now()`,
      updater: who?.actor.userId ?? null,
    })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()

type Step = { verb: InstallationVerb; set?: Partial<Installation> }

/** Takes a locked installation to the next status of the machine, audited. An ended one is never changed again. */
export const setInstallationStatus = async (
  trx: Db,
  who: ActingCaller,
  before: Installation,
  { verb, set = {} }: Step,
): Promise<Installation> => {
  const { from, to, permission } = installationRule(verb)
  if (!from.includes(before.status)) throw new BusinessError(codes.installationState, { state: before.status })
  const after = await updateInstallation(trx, who, before, { ...set, status: to })
  await auditInstallation(trx, who, { action: permission, before, after })
  return after
}

/** Ends an installation: from now on its device hangs nowhere, and old alarms keep this place. */
export const endInstallation = async (
  trx: Db,
  who: ActingCaller,
  before: Installation,
  verb: 'move' | 'remove',
): Promise<void> => {
  await setInstallationStatus(trx, who, before, { verb, set: { suspendedUntil: null } })
  await unscoped(trx, 'locked before')
    .updateTable('schoolDevice')
    .set({ validTo: sql<Date>`greatest(now(), valid_from)` })
    .where('id', '=', before.id)
    .execute()
}
