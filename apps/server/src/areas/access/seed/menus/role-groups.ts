import type { RoleCode } from '../roles.ts'

export const leads: RoleCode[] = ['school_admin', 'shift_lead']
export const handlers: RoleCode[] = [...leads, 'safety_officer', 'command_operator', 'station_desk']
export const first: RoleCode[] = [...handlers, 'guard']
export const desk: RoleCode[] = [...first, 'officer']
export const readers: RoleCode[] = ['edu_bureau', 'supervisor', 'auditor']
export const all: RoleCode[] = [...desk, ...readers]
/** Roles that maintain devices. */
export const keepers: RoleCode[] = ['maintainer']
/** Roles that accept, at a school, what another person installed. */
export const atSchool: RoleCode[] = ['school_admin', 'safety_officer', 'guard']
/** Roles responsible for the devices of a school. */
export const schoolLeads: RoleCode[] = ['school_admin', 'safety_officer']
/** Another system: reads alarms and what they refer to, changes nothing. */
export const systems: RoleCode[] = ['api_client']
/** Roles that issue supervision orders and follow them up. */
export const issuers: RoleCode[] = ['edu_bureau', 'shift_lead', 'supervisor']
/** Roles that write announcements. */
export const authors: RoleCode[] = ['school_admin', 'safety_officer', 'edu_bureau', 'shift_lead', 'supervisor']
/** Roles that review, publish and withdraw them. */
export const publishers: RoleCode[] = ['school_admin', 'edu_bureau', 'shift_lead']
/** All roles of people. */
export const people: RoleCode[] = [...all, 'counsellor', 'maintainer', 'security_admin']
/** Roles that carry them out. */
export const responsibles: RoleCode[] = ['school_admin', 'safety_officer', 'station_desk', 'edu_bureau', 'shift_lead']
/** Roles that create and revoke links to the wall. */
export const wallKeepers: RoleCode[] = ['shift_lead', 'edu_bureau']
/** Roles that issue and read reports. */
export const reporters: RoleCode[] = [
  'shift_lead',
  'edu_bureau',
  'supervisor',
  'station_desk',
  'school_admin',
  'safety_officer',
]
