import { codes } from '@tocsin/contract/codes'
import { CodeRequest, type ContactType } from '@tocsin/contract/system/sign-in/contact'
import { Email, Mobile } from '@tocsin/contract/system/user-contact'
import { sql } from 'kysely'
import type { Db } from '#db/db'
import { Refusal } from '#http/refusal'
import { provable, type Proven } from '../auth/enter.ts'
import { badField } from '../edit.ts'
import { channelOpen } from '../outbound/channels.ts'
import type { Contact } from './code.ts'

/** A contact as it is compared: well-formed for its type, addresses in lower case. */
export const contactOf = (type: ContactType, text: string): Contact => {
  const value = type === 'EMAIL' ? text.trim().toLowerCase() : text.trim()
  const schema = type === 'EMAIL' ? Email : Mobile
  if (!schema.safeParse(value).success) throw badField(CodeRequest, 'contact', 'format')
  return { type, value }
}

/** Refuses a contact that nothing can be sent to, since nothing was configured. */
export const checkChannel = async (db: Db, { type }: Contact): Promise<void> => {
  if (!(await channelOpen(db, type))) throw new Refusal(codes.channelOff)
}

export const userOf = (db: Db, { type, value }: Contact): Promise<Proven | undefined> =>
  provable(db)
    .where(type === 'MOBILE' ? sql<boolean>`mobile = ${value}` : sql<boolean>`lower(email) = ${value}`)
    .executeTakeFirst()
