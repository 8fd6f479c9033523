import { type ContactRole, contactRoles, type EmergencyContact } from '../../school/contact.ts'

type SchoolRole = Exclude<ContactRole, 'OTHER'>
const schoolRoles = contactRoles.filter((role): role is SchoolRole => role !== 'OTHER')

/** Numbers that reach somebody from everywhere. */
export const publicNumbers = { AMBULANCE: '120', FIRE_BRIGADE: '119', POLICE: '110' } as const
type PublicService = keyof typeof publicNumbers

/** Whom a step can call: the duty phone of the school, a contact of the school by role, or a public service. */
export const callees = [
  'DUTY_PHONE',
  ...schoolRoles,
  ...(Object.keys(publicNumbers) as PublicService[]),
] as const satisfies readonly string[]
export type Callee = 'DUTY_PHONE' | SchoolRole | PublicService

export const isPublicService = (callee: Callee): callee is PublicService => Object.hasOwn(publicNumbers, callee)
/** Contacts of the school are read only for these. */
export const isContactRole = (callee: Callee): callee is SchoolRole => schoolRoles.some((role) => role === callee)

type Numbers = { dutyPhone: string | null; contacts: readonly Pick<EmergencyContact, 'role' | 'phone'>[] }

/** Nobody else is dialled instead. A masked number cannot be dialled. @returns undefined without a number. */
export const findNumber = (callee: Callee, { dutyPhone, contacts }: Numbers): string | undefined => {
  if (isPublicService(callee)) return publicNumbers[callee]
  const phones = isContactRole(callee)
    ? contacts.filter(({ role }) => role === callee).map(({ phone }) => phone)
    : [dutyPhone]
  return phones.find((phone): phone is string => Boolean(phone) && !phone?.includes('*'))
}
