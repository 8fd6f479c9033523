import { codes } from '@tocsin/contract/codes'
import type { ImportReason, ImportVerdict } from '@tocsin/contract/files/import'
import { maskEmail, maskMobile } from '@tocsin/contract/access/user-contact'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#db/db'
import { unscoped } from '#db/scope'
import { type Actor, hasPermission } from '#http/route'
import { canSeeDept } from '../roles/grant-guards.ts'
import { isContactHidden } from '../people/contact-disclosure.ts'
import { ASSIGN_ROLE, type GrantCheck, UPDATE_USER } from './grant-check.ts'
import type { Draft, ValidatedLine } from './validate-line.ts'
import { cellErrorFrom, cellError } from '#areas/files/import/cell-errors'
import { ruleError } from './line-errors.ts'

/** A stored user that a line may refer to, or whose contact the line repeats. */
export type ExistingUser = {
  id: number
  username: string
  nickname: string
  deptId: number
  email: string | null
  mobile: string | null
  sex: string
  enabled: boolean
  remark: string | null
  roleIds: number[]
}

export type ResolvedLine = ValidatedLine & { verdict: ImportVerdict; targetId: number | null }

/** Every user that the lines refer to, in lower case; unique over all users, visible or not. */
export type ExistingUsers = Record<'username' | 'mobile' | 'email', ReadonlyMap<string, ExistingUser>>

const knownColumns = sql.raw('id, username, nickname, dept_id as "deptId", email, mobile, sex, enabled, remark')

export const readExistingUsers = async (db: Db, drafts: readonly Draft[]): Promise<ExistingUsers> => {
  const lower = (texts: readonly (string | undefined)[]) => texts.flatMap((text) => (text ? [text.toLowerCase()] : []))
  const names = lower(drafts.map(({ username }) => username))
  const mobiles = lower(drafts.map(({ mobile }) => mobile))
  const emails = lower(drafts.map(({ email }) => email))
  // Each looked up by its index: during an import of tens of thousands the planner's statistics are outdated, and it
  // would scan the table for every batch.
  const meant = (texts: readonly string[], column: RawBuilder<unknown>) => sql`
    select found.* from unnest(${texts}::text[]) as asked (one)
    cross join lateral (select ${knownColumns} from users where ${column} = asked.one limit 1) found`
  const { rows } = await sql<ExistingUser>`
    select distinct on (u.id) u.*, coalesce((select json_agg(role_id order by role_id) from user_role where user_id = u.id), '[]') as "roleIds"
    from (${meant(names, sql`lower(username)`)} union all ${meant(mobiles, sql`mobile`)}
      union all ${meant(emails, sql`lower(email)`)}) u`.execute(
    unscoped(db, 'names and numbers are unique over everybody'),
  )
  const by = (field: 'username' | 'mobile' | 'email') =>
    new Map(rows.flatMap((user) => (user[field] ? [[user[field].toLowerCase(), user] as const] : [])))
  return { username: by('username'), mobile: by('mobile'), email: by('email') }
}

/** Earlier lines of the same spreadsheet, by unique value. */
export const createDuplicateCheck = () => {
  const first = new Map<string, number>()
  return ({ line, draft }: ValidatedLine): ImportReason[] =>
    (['username', 'mobile', 'email'] as const).flatMap((field) => {
      const text = draft[field]?.toLowerCase()
      if (!text || text.includes('*')) return []
      const key = `${field} ${text}`
      const before = first.get(key)
      if (before !== undefined) return [cellError(field, codes.importTwice, { line: before })]
      first.set(key, line)
      return []
    })
}

type Given = {
  actor: Actor
  rights: GrantCheck
  known: ExistingUsers
  /** Whether the importer may learn that a contact is this user's. */
  tells: (user: ExistingUser) => Promise<boolean>
  updateSupport: boolean
  /** For a line that names no department. */
  deptId: number
}

const takenBy = { username: codes.userExists, mobile: codes.mobileExists, email: codes.emailExists }

/** The values of a line that another user has. */
export const findTakenFields = (draft: Draft, known: ExistingUsers, self?: ExistingUser) =>
  (['username', 'mobile', 'email'] as const).flatMap((field) => {
    const user = known[field].get(draft[field]?.toLowerCase() ?? '')
    return user && user !== self ? [{ user, reason: cellError(field, takenBy[field]) }] : []
  })

/** The taken contacts, as far as the importer may learn of them; the rest is found when it is written. */
const taken = async (draft: Draft, { known, tells }: Given, self?: ExistingUser): Promise<ImportReason[]> => {
  const reasons: ImportReason[] = []
  for (const { user, reason } of findTakenFields(draft, known, self)) if (await tells(user)) reasons.push(reason)
  return reasons
}

const assigned = async (
  { actor, rights }: Given,
  roleIds: readonly number[],
  deptId: number,
): Promise<ImportReason[]> => {
  if (roleIds.length === 0) return []
  if (!hasPermission(actor)(ASSIGN_ROLE)) return [cellError('roles', codes.forbidden)]
  const refusal = await rights.within(roleIds, deptId)
  return refusal ? [cellErrorFrom('roles', refusal)] : []
}

const created = async (judged: ValidatedLine, given: Given): Promise<ResolvedLine> => {
  const { draft } = judged
  const masks = (['email', 'mobile'] as const).filter((field) => draft[field]?.includes('*'))
  const reasons = [
    ...judged.reasons,
    ...(draft.nickname || judged.cells['nickname'] ? [] : [ruleError('nickname', 'required')]),
    ...masks.map((field) => ruleError(field, 'format')),
    ...(await taken(draft, given)),
    ...(await assigned(given, draft.roleIds ?? [], draft.deptId ?? given.deptId)),
  ]
  const whole = { ...draft, deptId: draft.deptId ?? given.deptId }
  return { ...judged, draft: whole, reasons, verdict: reasons.length > 0 ? 'BAD' : 'CREATE', targetId: null }
}

/**
 * The changes of a line; a masked number stands for the number (DESIGN 5). An importer who sees the mask does not learn
 * whether a guess was right.
 */
const changes = (draft: Draft, user: ExistingUser, actor: Actor): Draft => {
  const hidden = isContactHidden(actor, user)
  const mask = { email: user.email && maskEmail(user.email), mobile: user.mobile && maskMobile(user.mobile) }
  const differs = ([name, value]: [string, unknown]): boolean => {
    if (name === 'username') return true
    if (name === 'roleIds') return String(value) !== String(user.roleIds)
    if (name === 'email' || name === 'mobile') return value !== mask[name] && (hidden || value !== user[name])
    return value !== user[name as keyof ExistingUser]
  }
  // Filtering removes fields only, so the type stays a draft.
  return Object.fromEntries(Object.entries(draft).filter(differs)) as Draft
}

const updated = async (judged: ValidatedLine, user: ExistingUser, given: Given): Promise<ResolvedLine> => {
  const { actor, rights } = given
  const draft = changes(judged.draft, user, actor)
  const bad = (...more: ImportReason[]): ResolvedLine => ({
    ...judged,
    draft,
    reasons: [...judged.reasons, ...more],
    verdict: 'BAD',
    targetId: null,
  })
  const seen = user.id === actor.userId || canSeeDept(actor, user.deptId)
  if (!given.updateSupport || !seen) return bad(cellError('username', codes.userExists))
  if (judged.reasons.length > 0) return bad()
  if (Object.keys(draft).length === 1) return { ...judged, draft, verdict: 'SAME', targetId: user.id }
  if (!hasPermission(actor)(UPDATE_USER)) return bad(cellError('username', codes.forbidden))
  if (!(await rights.covers(user))) return bad(cellError('username', codes.moreRights))
  const deptId = draft.deptId ?? user.deptId
  const moved = draft.deptId === undefined ? undefined : await rights.within(user.roleIds, deptId)
  const masks = (['email', 'mobile'] as const).filter((field) => draft[field]?.includes('*'))
  const added = (draft.roleIds ?? []).filter((id) => !user.roleIds.includes(id))
  const reasons = [
    ...masks.map((field) => ruleError(field, 'format')),
    ...(await taken(draft, given, user)),
    ...(moved ? [cellErrorFrom('deptId', moved)] : []),
    ...(draft.roleIds !== undefined && !hasPermission(actor)(ASSIGN_ROLE) ? [cellError('roles', codes.forbidden)] : []),
    ...(added.length > 0 && hasPermission(actor)(ASSIGN_ROLE) ? await assigned(given, added, deptId) : []),
    ...(draft.enabled === false && user.id === actor.userId ? [cellError('status', codes.notYourself)] : []),
  ]
  return reasons.length > 0 ? bad(...reasons) : { ...judged, draft, verdict: 'UPDATE', targetId: user.id }
}

/** The result of a line, as far as it is known before it is written. */
export const resolveLine = async (judged: ValidatedLine, given: Given): Promise<ResolvedLine> => {
  const user = given.known.username.get(judged.draft.username.toLowerCase())
  return user ? updated(judged, user, given) : created(judged, given)
}
