import { EMPLOYEE_POST } from '@tocsin/contract/access/user'
import type { z } from 'zod'
import type { Db } from '#db/db'
import { checkDictValues, loadDictLabels } from '#areas/audit/entity/dict-values'

type Asked = { of: z.ZodObject; postIds: readonly number[] | null | undefined }

/**
 * The column as a form sets it: absent means unchanged, null means none. Posts are stored once and sorted, so that another
 * order of the same posts is no change. A disabled post stays if the user already has it.
 */
export const checkedPostColumns = async (trx: Db, { of, postIds }: Asked, before: readonly number[] = []) => {
  if (postIds === undefined) return {}
  const ids = [...new Set(postIds)].sort((a, b) => a - b)
  const texts = (all: readonly number[]) => ({ postIds: all.map(String) })
  await checkDictValues(trx, { draft: of, types: { postIds: EMPLOYEE_POST } }, texts(ids), texts(before))
  return { postIds: ids }
}

/** Posts with names, like departments and roles. A post that the dictionary no longer has is named by its number. */
export const loadPostNames = async (db: Db, ids: readonly number[]): Promise<{ id: number; name: string }[]> => {
  const words = await loadDictLabels(db, EMPLOYEE_POST, 'zh-cn')
  return ids.map((id) => ({ id, name: words.get(String(id)) ?? String(id) }))
}
