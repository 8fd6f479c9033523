import type { Lang } from '@tocsin/contract/field'
import type { UserRow } from '@tocsin/contract/access/user'
import type { Db } from '#db/db'

type Sex = UserRow['sex']
/** The labels in a spreadsheet of values that are codes in the database. */
export type UserLabels = { sex: Record<Sex, string>; status: { on: string; off: string } }

/** The labels of the dictionaries, which users can rename; the seeded ones where an entry was deleted. */
export const userLabels = async (db: Db, lang: Lang): Promise<UserLabels> => {
  const entries = await db
    .selectFrom('dictData')
    .select(['dictType', 'value', 'label', 'labelEn'])
    .where('dictType', 'in', ['system_user_sex', 'common_status'])
    .execute()
  const word = (type: string, value: string, [zh, en]: readonly [string, string]) => {
    const entry = entries.find((entry) => entry.dictType === type && entry.value === value)
    const seeded = lang === 'en' ? en : zh
    return entry ? (lang === 'en' && entry.labelEn) || entry.label : seeded
  }
  return {
    sex: {
      UNKNOWN: word('system_user_sex', '0', ['未知', 'Unknown']),
      MALE: word('system_user_sex', '1', ['男', 'Male']),
      FEMALE: word('system_user_sex', '2', ['女', 'Female']),
    },
    status: {
      on: word('common_status', '0', ['开启', 'Enabled']),
      off: word('common_status', '1', ['关闭', 'Disabled']),
    },
  }
}
