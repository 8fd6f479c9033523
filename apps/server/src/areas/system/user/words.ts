import type { UserRow } from '@tocsin/contract/system/user'
import type { Db } from '#db/db'

type Sex = UserRow['sex']
/** The words of a sheet for what is a code in the database. */
export type UserWords = { sex: Record<Sex, string>; status: { on: string; off: string } }

/** As the dictionaries say, which people may rename; their seeds where an entry is gone. */
export const userWords = async (db: Db): Promise<UserWords> => {
  const entries = await db
    .selectFrom('dictData')
    .select(['dictType', 'value', 'label'])
    .where('dictType', 'in', ['system_user_sex', 'common_status'])
    .execute()
  const word = (type: string, value: string, otherwise: string) =>
    entries.find((entry) => entry.dictType === type && entry.value === value)?.label ?? otherwise
  return {
    sex: {
      UNKNOWN: word('system_user_sex', '0', '未知'),
      MALE: word('system_user_sex', '1', '男'),
      FEMALE: word('system_user_sex', '2', '女'),
    },
    status: { on: word('common_status', '0', '开启'), off: word('common_status', '1', '关闭') },
  }
}
