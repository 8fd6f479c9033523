import { z } from 'zod'
import { field } from '../field.ts'

export const contactRoles = ['PRINCIPAL', 'SAFETY_OFFICER', 'LEGAL_VICE_HEAD', 'GUARD_ROOM', 'OTHER'] as const
export type ContactRole = (typeof contactRoles)[number]

/** Sees the numbers of a school's contacts in the clear. */
export const REVEAL_CONTACTS_PERMISSION = 'school:school:reveal'

/** Whom to call in an emergency. `phone` comes masked to whoever lacks `school:school:reveal`. */
export const EmergencyContact = z.strictObject({
  role: field(z.enum(contactRoles), '身份', 'Role'),
  name: field(z.string(), '姓名', 'Name'),
  phone: field(z.string(), '电话', 'Phone'),
})
export type EmergencyContact = z.output<typeof EmergencyContact>

/** In the order in which they are called. */
export const EmergencyContacts = z.array(EmergencyContact)

export const EmergencyContactsDraft = z
  .array(
    EmergencyContact.extend({
      name: field(z.string().trim().min(1).max(30), '姓名', 'Name'),
      phone: field(
        z
          .string()
          .max(20)
          .regex(/^\+?\d[\d -]{1,17}\d$/),
        '电话',
        'Phone',
      ),
    }),
  )
  .max(10)
