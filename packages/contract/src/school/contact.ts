import { z } from 'zod'
import { field, pattern } from '../field.ts'
import { nameText } from '../text-fields.ts'

export const contactRoles = ['PRINCIPAL', 'SAFETY_OFFICER', 'LEGAL_VICE_HEAD', 'GUARD_ROOM', 'OTHER'] as const
export type ContactRole = (typeof contactRoles)[number]

/** Permission to see the numbers of a school's contacts unmasked. */
export const REVEAL_CONTACTS_PERMISSION = 'school:school:reveal'

/** A code that came to the number was read back, or somebody spoke to the contact. */
export const verificationWays = ['CODE', 'PERSON'] as const
export type VerificationWay = (typeof verificationWays)[number]

/** Emergency contacts. `phone` is masked without `school:school:reveal`. */
export const EmergencyContact = z.strictObject({
  role: field(z.enum(contactRoles), '身份', 'Role'),
  name: field(z.string(), '姓名', 'Name'),
  phone: field(z.string(), '电话', 'Phone'),
  /** The day on which somebody last reached the contact by this number. */
  verifiedOn: field(z.iso.date().nullable().optional(), '核验日期', 'Verified on'),
  /** Set by the server, as the two below. */
  verifiedHow: field(z.enum(verificationWays).nullable().optional(), '核验方式', 'Verified by means of'),
  verifiedBy: field(z.string().max(64).nullable().optional(), '核验人', 'Verified by'),
})
export type EmergencyContact = z.output<typeof EmergencyContact>

/** Contacts in the order in which to call them. */
export const EmergencyContacts = z.array(EmergencyContact)

/** A number not verified for so long is marked. */
export const VERIFICATION_DAYS = 180

/** Only mobile numbers receive codes, in the clear or masked as they were shown. */
export const canReceiveCode = (phone: string): boolean => /^1[3-9]\d(\d{4}|\*{4})\d{4}$/.test(phone)

/** A number may be sent back masked as displayed: it stands for the stored one. */
export const EmergencyContactsDraft = z
  .array(
    EmergencyContact.extend({
      name: field(nameText(30), '姓名', 'Name'),
      phone: field(
        z
          .string()
          .max(20)
          .regex(
            pattern(
              /^\+?[\d*][\d* -]{1,17}[\d*]$/,
              '电话号码，例如 13800138000 或 010-66012345',
              'a telephone number such as 13800138000 or 010-66012345',
            ),
          ),
        '电话',
        'Phone',
      ),
    }),
  )
  .max(10)
