import type { Db } from '#db/db'
import { encrypt, decrypt } from '#db/encryption'
import { type SettingKey, findSettingDefinition, MASK } from './setting-definitions.ts'

const nameOf = (key: string) => `setting/${key}`

/**
 * Returns the value for the row of a setting: a secret is stored encrypted in its own table, and the row holds the
 * mask.
 */
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

/** Returns the secret, or an empty text if there is none or another key encrypted it. */
export const decryptSetting = async (db: Db, sealing: Uint8Array, key: SettingKey): Promise<string> => {
  const row = await db.selectFrom('secret').select('value').where('name', '=', nameOf(key)).executeTakeFirst()
  return (row && decrypt(sealing, row.value)?.toString()) ?? ''
}
