import { codes } from '@tocsin/contract/codes'
import type { ProfileEdit } from '@tocsin/contract/access/profile'
import type { Db } from '#db/db'
import type { Row } from '#db/tables'
import { BusinessError } from '#http/business-error'
import { isChannelConfigured } from '#areas/settings/channels'

/**
 * A new number or address can open the account (codes, password reset), so it must be verified where verification is
 * possible: an open screen must not allow an account takeover. Clearing one stays free.
 */
export const checkContacts = async (
  db: Db,
  { mobile, email }: Pick<ProfileEdit, 'mobile' | 'email'>,
  before: Row<'users'>,
): Promise<void> => {
  const newMobile = mobile && mobile !== before.mobile && (await isChannelConfigured(db, 'MOBILE'))
  const newEmail =
    email && email.toLowerCase() !== before.email?.toLowerCase() && (await isChannelConfigured(db, 'EMAIL'))
  if (newMobile || newEmail) throw new BusinessError(codes.contactNeedsCode)
}
