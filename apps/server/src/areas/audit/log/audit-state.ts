import { REVEAL_CONTACTS_PERMISSION } from '@tocsin/contract/school/contact'
import type { AuditLogDetail } from '@tocsin/contract/audit/audit-log'
import { REVEAL_PERMISSION } from '@tocsin/contract/access/user'
import { maskEmail, maskMobile, maskPhone } from '@tocsin/contract/access/user-contact'
import type { Db } from '#db/db'
import type { Row } from '#db/tables'
import { type Actor, hasPermission } from '#http/route'
import { type AuditedAction, canSeeSubjects } from './subject.ts'

/** By the end of its name, also of a list: `contactPhone`, `mobiles`. */
const masks: [name: RegExp, mask: (text: string) => string][] = [
  [/mobiles?$/i, maskMobile],
  [/emails?$/i, maskEmail],
  [/phones?$/i, maskPhone],
]

/** Whose right shows contact data of a row in the clear: numbers of a school's contacts have one of their own. */
export const revealPermissionOf = ({ subject }: Pick<Row<'auditLog'>, 'subject'>): string =>
  subject === 'school' ? REVEAL_CONTACTS_PERMISSION : REVEAL_PERMISSION

export const revealPermissions = [REVEAL_PERMISSION, REVEAL_CONTACTS_PERMISSION]

type State = NonNullable<AuditLogDetail['before']>

const isState = (value: unknown): value is State => typeof value === 'object' && value !== null && !Array.isArray(value)

/** A whole number that somebody looked for in another field; with the rows it found it is somebody's. */
const soughtMobile = /(?<!\d)1[3-9]\d{9}(?!\d)/g

/** What a list holds is masked as what it is called; the filter of a reading lies one level deeper than columns. */
const maskedValue = (key: string, value: unknown, sought: boolean): unknown => {
  if (Array.isArray(value)) return value.map((one) => maskedValue(key, one, sought))
  if (isState(value)) return maskedState(value, true)
  if (typeof value !== 'string') return value
  const [, mask] = masks.find(([name]) => name.test(key)) ?? []
  return mask ? mask(value) : sought ? value.replaceAll(soughtMobile, maskMobile) : value
}

const maskedState = (state: State, sought = false): State =>
  Object.fromEntries(Object.entries(state).map(([key, value]) => [key, maskedValue(key, value, sought)]))

type Written = Row<'auditLog'>['before']

/** Whether it would show contact data in the clear. */
export const isPersonal = (state: Written): boolean =>
  isState(state) && JSON.stringify(maskedState(state)) !== JSON.stringify(state)

/** A row as it was, with contact data masked for whoever may not see it. */
const stateFor = (clear: boolean, state: Written): AuditLogDetail['before'] =>
  isState(state) ? (clear ? state : maskedState(state)) : null

type Shown = Pick<AuditLogDetail, 'before' | 'after' | 'withheld'>

export const withheldState: Shown = { before: null, after: null, withheld: true }

/** What each of these deeds changed, as this person may see it: nothing of what is out of his sight. */
export const visibleStates = async (db: Db, actor: Actor, deeds: readonly AuditedAction[]): Promise<Shown[]> => {
  const seen = await canSeeSubjects(db, actor, deeds)
  return deeds.map((deed, at) => {
    if (!seen[at]) return withheldState
    const clear = hasPermission(actor)(revealPermissionOf(deed))
    return { before: stateFor(clear, deed.before), after: stateFor(clear, deed.after), withheld: false }
  })
}
