import type { NotifyPolicyDraft } from '@tocsin/contract/notify/policy'
import { sql } from 'kysely'

/** The driver writes a list as an SQL array; these columns are one JSON value. */
export const toPolicyColumns = <P extends Partial<Pick<NotifyPolicyDraft, 'steps' | 'fallback'>>>({
  steps,
  fallback,
}: P) => ({
  steps: sql<NotifyPolicyDraft['steps']>`${JSON.stringify(steps)}::jsonb`,
  fallback: sql<NotifyPolicyDraft['fallback']>`${JSON.stringify(fallback)}::jsonb`,
})
