import { EMPLOYEE_POST } from '@tocsin/contract/access/user'
import type { z } from 'zod'
import type { Db } from '#db/db'
import { checkDictValues, loadDictLabels } from '#areas/settings/dict/dict-labels'

type Asked = { of: z.ZodObject; postIds: readonly number[] | null | undefined }

/**
 * The column as a form sets it: absent is unchanged, null is none. Each once and in one order, so that choosing the same
 * ones in another order is no change. What he has already may stay when it is out of use.
 */
export const checkedPostColumns = async (trx: Db, { of, postIds }: Asked, before: readonly number[] = []) => {
  if (postIds === undefined) return {}
  const ids = [...new Set(postIds)].sort((a, b) => a - b)
  const texts = (all: readonly number[]) => ({ postIds: all.map(String) })
  await checkDictValues(trx, { draft: of, types: { postIds: EMPLOYEE_POST } }, texts(ids), texts(before))
  return { postIds: ids }
}

/** Named as departments and roles are; one that is no more in its dictionary by its number. */
export const loadPostNames = async (db: Db, ids: readonly number[]): Promise<{ id: number; name: string }[]> => {
  const words = await loadDictLabels(db, EMPLOYEE_POST, 'zh-cn')
  return ids.map((id) => ({ id, name: words.get(String(id)) ?? String(id) }))
}
