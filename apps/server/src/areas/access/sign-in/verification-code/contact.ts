import { codes } from '@tocsin/contract/codes'
import { CodeRequest, type ContactType } from '@tocsin/contract/access/sign-in/contact'
import { Email, Mobile } from '@tocsin/contract/access/user-contact'
import { sql } from 'kysely'
import type { Db } from '#db/db'
import { BusinessError } from '#http/business-error'
import { signInColumns, type VerifiedUser } from '../complete-sign-in.ts'
import { fieldError } from '#areas/audit/edit-transaction'
import { isChannelConfigured } from '#areas/settings/channels'
import type { Contact } from './code.ts'

/** The contact in the form that is compared: valid for its type, addresses in lower case. */
export const normalizeContact = (type: ContactType, text: string): Contact => {
  const { data, success } = (type === 'EMAIL' ? Email : Mobile).safeParse(text)
  if (!success) throw fieldError(CodeRequest, 'contact', 'format')
  return { type, value: data.toLowerCase() }
}

/** Rejects a contact when the channel for it is not configured. */
export const checkChannel = async (db: Db, { type }: Contact): Promise<void> => {
  if (!(await isChannelConfigured(db, type))) throw new BusinessError(codes.channelOff)
}

export const findUserByContact = (db: Db, { type, value }: Contact): Promise<VerifiedUser | undefined> =>
  signInColumns(db)
    .where(type === 'MOBILE' ? sql<boolean>`mobile = ${value}` : sql<boolean>`lower(email) = ${value}`)
    .executeTakeFirst()
