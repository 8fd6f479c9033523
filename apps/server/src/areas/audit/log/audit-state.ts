import { REVEAL_CONTACTS_PERMISSION } from '@tocsin/contract/school/contact'
import type { AuditLogDetail } from '@tocsin/contract/audit/audit-log'
import { REVEAL_PERMISSION } from '@tocsin/contract/access/user'
import { maskEmail, maskMobile, maskPhone } from '@tocsin/contract/access/user-contact'
import type { Db } from '#db/db'
import type { Row } from '#db/tables'
import { type Actor, hasPermission } from '#http/route'
import { type AuditedAction, canSeeSubjects } from './subject.ts'

/** By the end of the field name, also of a list: `contactPhone`, `mobiles`. */
const masks: [name: RegExp, mask: (text: string) => string][] = [
  [/mobiles?$/i, maskMobile],
  [/emails?$/i, maskEmail],
  [/phones?$/i, maskPhone],
]

/** The permission that shows contact data of a row unmasked: contacts of a school have one of their own. */
export const revealPermissionOf = ({ subject }: Pick<Row<'auditLog'>, 'subject'>): string =>
  subject === 'school' ? REVEAL_CONTACTS_PERMISSION : REVEAL_PERMISSION

export const revealPermissions = [REVEAL_PERMISSION, REVEAL_CONTACTS_PERMISSION]

type State = NonNullable<AuditLogDetail['before']>

const isState = (value: unknown): value is State => typeof value === 'object' && value !== null && !Array.isArray(value)

/** A number searched in another field: together with the rows it found it is personal data. */
const soughtMobile = /(?<!\d)1[3-9]\d{9}(?!\d)/g

/** List elements are masked like their field; the filter of a read is one level deeper than columns. */
const maskedValue = (key: string, value: unknown, sought: boolean): unknown => {
  if (Array.isArray(value)) return value.map((item) => maskedValue(key, item, sought))
  if (isState(value)) return maskedState(value, true)
  if (typeof value !== 'string') return value
  const [, mask] = masks.find(([name]) => name.test(key)) ?? []
  return mask ? mask(value) : sought ? value.replaceAll(soughtMobile, maskMobile) : value
}

const maskedState = (state: State, sought = false): State =>
  Object.fromEntries(Object.entries(state).map(([key, value]) => [key, maskedValue(key, value, sought)]))

type Written = Row<'auditLog'>['before']

/** Whether it would show unmasked contact data. */
export const isPersonal = (state: Written): boolean =>
  isState(state) && JSON.stringify(maskedState(state)) !== JSON.stringify(state)

/** The earlier state of a row, with contact data masked unless the user may see it. */
const stateFor = (clear: boolean, state: Written): AuditLogDetail['before'] =>
  isState(state) ? (clear ? state : maskedState(state)) : null

type Shown = Pick<AuditLogDetail, 'before' | 'after' | 'withheld'>

export const withheldState: Shown = { before: null, after: null, withheld: true }

/** The changes of each operation, as far as this user may see them: nothing of invisible rows. */
export const visibleStates = async (db: Db, actor: Actor, deeds: readonly AuditedAction[]): Promise<Shown[]> => {
  const seen = await canSeeSubjects(db, actor, deeds)
  return deeds.map((deed, at) => {
    if (!seen[at]) return withheldState
    const clear = hasPermission(actor)(revealPermissionOf(deed))
    return { before: stateFor(clear, deed.before), after: stateFor(clear, deed.after), withheld: false }
  })
}
