import { codes } from '@tocsin/contract/codes'
import type { ProfileEdit } from '@tocsin/contract/system/profile'
import type { Db } from '#db/db'
import type { Row } from '#db/tables'
import { Refusal } from '#http/refusal'
import { channelOpen } from '../outbound/channels.ts'

/**
 * A new number or address opens the account (codes, forgotten passwords), so it is proven where one can be: what an open
 * screen could write must not take the account away. Clearing one stays free.
 */
export const checkContacts = async (
  db: Db,
  { mobile, email }: Pick<ProfileEdit, 'mobile' | 'email'>,
  before: Row<'users'>,
): Promise<void> => {
  const newMobile = mobile && mobile !== before.mobile && (await channelOpen(db, 'MOBILE'))
  const newEmail = email && email.toLowerCase() !== before.email?.toLowerCase() && (await channelOpen(db, 'EMAIL'))
  if (newMobile || newEmail) throw new Refusal(codes.contactNeedsCode)
}
