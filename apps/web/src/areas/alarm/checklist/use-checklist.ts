import { checklists } from '@tocsin/contract/alarm/checklist'
import type { WarnRecordRow } from '@tocsin/contract/alarm/record'
import { useQuery } from '@tanstack/react-query'
import { inlineQuery } from '#api/query.ts'
import { useHasPermission } from '#api/session.ts'

/** The plan that runs for an alarm; it is read once somebody has claimed the alarm. */
export const useChecklist = ({ id, claimedAt }: Pick<WarnRecordRow, 'id' | 'claimedAt'>) => {
  const mayRead = useHasPermission('warn:record:query')
  return useQuery({
    ...inlineQuery(checklists.get, { query: { id } }),
    enabled: mayRead && claimedAt !== null,
  })
}
