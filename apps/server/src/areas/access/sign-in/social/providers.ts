import { codes } from '@tocsin/contract/codes'
import { PROVIDER_KEY } from '@tocsin/contract/access/sign-in/social'
import { z } from 'zod'
import type { Db } from '#db/db'
import { BusinessError } from '#http/business-error'
import { decryptSetting } from '#settings/secret-setting'
import { getSetting } from '#settings/settings-cache'

const Provider = z.object({
  key: z.string().regex(PROVIDER_KEY),
  name: z.string(),
  nameEn: z.string().optional(),
  icon: z.string().optional(),
  issuer: z.url({ protocol: /^https?$/ }),
  clientId: z.string(),
})
export type Provider = z.output<typeof Provider> & { nameEn: string; icon: string }

const read = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The configured providers; an entry that cannot be parsed is left out. */
export const listProviders = async (db: Db): Promise<Provider[]> => {
  const list = read(await getSetting(db, 'social.providers'))
  return (Array.isArray(list) ? list : []).flatMap((entry) => {
    const { success, data } = Provider.safeParse(entry)
    return success ? [{ ...data, nameEn: data.nameEn ?? data.name, icon: data.icon ?? data.key }] : []
  })
}

export const getProvider = async (db: Db, key: string): Promise<Provider> => {
  const found = (await listProviders(db)).find((provider) => provider.key === key)
  if (!found) throw new BusinessError(codes.socialUnknown)
  return found
}

/** Empty when the identity provider issued no secret. */
export const getClientSecret = async (db: Db, sealing: Uint8Array, key: string): Promise<string> => {
  const secrets = z.record(z.string(), z.string()).safeParse(read(await decryptSetting(db, sealing, 'social.secrets')))
  return (secrets.success && secrets.data[key]) || ''
}
