import { codes } from '@tocsin/contract/codes'
import { CodeRequest, type ContactType } from '@tocsin/contract/access/sign-in/contact'
import { Email, Mobile } from '@tocsin/contract/access/user-contact'
import { sql } from 'kysely'
import type { Db } from '#db/db'
import { BusinessError } from '#http/business-error'
import { signInColumns, type VerifiedUser } from '../sign-in/complete-sign-in.ts'
import { fieldError } from '#areas/audit/edit-transaction'
import { isChannelConfigured } from '#areas/settings/channels'
import type { Contact } from './code.ts'

/** A contact as it is compared: well-formed for its type, addresses in lower case. */
export const normalizeContact = (type: ContactType, text: string): Contact => {
  const value = type === 'EMAIL' ? text.trim().toLowerCase() : text.trim()
  const schema = type === 'EMAIL' ? Email : Mobile
  if (!schema.safeParse(value).success) throw fieldError(CodeRequest, 'contact', 'format')
  return { type, value }
}

/** Refuses a contact that nothing can be sent to, since nothing was configured. */
export const checkChannel = async (db: Db, { type }: Contact): Promise<void> => {
  if (!(await isChannelConfigured(db, type))) throw new BusinessError(codes.channelOff)
}

export const findUserByContact = (db: Db, { type, value }: Contact): Promise<VerifiedUser | undefined> =>
  signInColumns(db)
    .where(type === 'MOBILE' ? sql<boolean>`mobile = ${value}` : sql<boolean>`lower(email) = ${value}`)
    .executeTakeFirst()
