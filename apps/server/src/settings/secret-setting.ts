import type { Db } from '#db/db'
import { encrypt, decrypt } from '#db/encryption'
import { type SettingKey, findSettingDefinition, MASK } from './setting-definitions.ts'

const nameOf = (key: string) => `setting/${key}`

/** The value to write into the row of a setting: a secret goes sealed into its own table, and the row shows the mask. */
export const storeSettingValue = async (trx: Db, sealing: Uint8Array, key: string, value: string): Promise<string> => {
  if (!findSettingDefinition(key)?.secret || value === MASK) return value
  const name = nameOf(key)
  await trx.deleteFrom('secret').where('name', '=', name).execute()
  if (value === '') return ''
  await trx
    .insertInto('secret')
    .values({ name, value: encrypt(sealing, Buffer.from(value)) })
    .execute()
  return MASK
}

/** The secret itself; empty when there is none, or it was sealed by another key. */
export const decryptSetting = async (db: Db, sealing: Uint8Array, key: SettingKey): Promise<string> => {
  const row = await db.selectFrom('secret').select('value').where('name', '=', nameOf(key)).executeTakeFirst()
  return (row && decrypt(sealing, row.value)?.toString()) ?? ''
}
