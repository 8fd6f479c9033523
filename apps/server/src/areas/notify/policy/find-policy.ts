import type { WarnClass } from '@tocsin/contract/alarm-class'
import { type DeliveryChannel, groupChannels } from '@tocsin/contract/notify/delivery'
import type { NotifyPolicyDraft } from '@tocsin/contract/notify/policy'
import { sql } from 'kysely'
import type { MatterPlace } from '#areas/notify/targets'
import type { Db } from '#db/db'
import { unscoped } from '#db/scope'
import { defaultPolicies } from './default-policies.ts'

export type PolicyPlan = Pick<NotifyPolicyDraft, 'steps' | 'loops' | 'fallback'>

/** The department of the place and those above it, the nearest first. */
const listDeptsAbove = async (db: Db, { schoolId, deptId }: MatterPlace): Promise<number[]> => {
  const { rows } = await sql<{ id: number }>`
    with recursive up as (
      select d.id, d.parent_id, 0 as depth from dept d
        where d.id = coalesce((select s.dept_id from school s where s.id = ${schoolId}), ${deptId})
      union all select d.id, d.parent_id, up.depth + 1 from dept d join up on d.id = up.parent_id where up.depth < 50
    ) select id from up order by depth`.execute(unscoped(db, 'a policy applies by the place of the matter'))
  return rows.map(({ id }) => id)
}

/**
 * The enabled policy of the nearest department above the place, else the one for everywhere, else the default of the
 * level. In each of them the policy of the class goes before the one for every class.
 */
export const findPolicy = async (
  db: Db,
  { class: of, level, ...place }: MatterPlace & { class: WarnClass | null; level: number },
): Promise<PolicyPlan> => {
  const found = await db
    .selectFrom('notifyPolicy')
    .select(['deptId', 'class', 'steps', 'loops', 'fallback'])
    .where('enabled', '=', true)
    .where('level', '=', level)
    .where((eb) => eb.or([eb('class', 'is', null), ...(of === null ? [] : [eb('class', '=', of)])]))
    .execute()
  const above = found.some(({ deptId }) => deptId !== null) ? await listDeptsAbove(db, place) : []
  for (const deptId of [...above, null]) {
    const here = found.filter((policy) => policy.deptId === deptId)
    const policy = here.find((item) => item.class !== null) ?? here[0]
    if (policy) return policy
  }
  const usual = defaultPolicies.find((policy) => policy.level === level) ?? defaultPolicies[0]
  if (!usual) throw new Error('there is no default policy')
  return usual
}

/** Every channel to a person that a policy uses anywhere, in its order: a task is for him alone. */
export const personChannels = ({ steps, fallback }: PolicyPlan): DeliveryChannel[] => {
  const channels = [...steps.toSorted((a, b) => a.afterSec - b.afterSec), fallback].flatMap((step) => step.channels)
  const used = new Set<DeliveryChannel>(['INAPP', ...channels])
  return [...used].filter((channel) => !groupChannels.some((group) => group === channel))
}
