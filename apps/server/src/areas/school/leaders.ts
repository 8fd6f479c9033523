import { codes } from '@tocsin/contract/codes'
import { type LeaderField, leaderFields, SchoolDraft } from '@tocsin/contract/school/school'
import { fieldError } from '#areas/audit/edit-transaction'
import { registerConstraintErrors } from '#db/constraint-error'
import type { Db } from '#db/db'
import { scoped } from '#db/scope'
import type { Actor } from '#http/route'

const named = { code: codes.referred, params: { what: '人员' } }
registerConstraintErrors({
  school_principal_id_fkey: named,
  school_safety_officer_id_fkey: named,
  school_legal_vice_head_id_fkey: named,
})

type Leaders = { [K in LeaderField]?: number | null | undefined }

/** Those who answer for a school are people whom the caller sees and who have not left. */
export const checkLeaders = async (trx: Db, actor: Actor, given: Leaders, before: Leaders): Promise<void> => {
  for (const field of leaderFields) {
    const id = given[field] ?? null
    if (id === null || id === before[field]) continue
    const person = await scoped(trx, actor)
      .selectFrom('employee')
      .select('id')
      .where('id', '=', id)
      .where('status', '<>', 'LEFT')
      .forKeyShare()
      .executeTakeFirst()
    if (!person) throw fieldError(SchoolDraft, field, 'choice')
  }
}
