import { codes } from '@tocsin/contract/codes'
import type { ImportReason } from '@tocsin/contract/files/import'
import { userImports } from '@tocsin/contract/access/user-import'
import { sql } from 'kysely'
import { setImmediate as asked } from 'node:timers/promises'
import type { Db } from '#db/db'
import { emitEvents } from '#db/event'
import { toByteaHex, bulkInsert, rowsFromJson } from '#db/bulk-rows'
import { unscoped } from '#db/scope'
import { type Row, tables } from '#db/tables'
import { auditRows, auditTime, insertAuditRows } from '#areas/audit/audit'
import type { Caller } from '#http/route'
import { createStamp, toAuditState } from '#areas/audit/edit-transaction'
import { cellError } from '#areas/files/import/cell-errors'
import type { Outcome, Pending as PendingDraft } from '#areas/files/import/importer'
import { type Contacts, findHiddenHolders, auditDisclosure } from '../people/contact-disclosure.ts'
import { ACTIVATION_DAYS, activationCode, activationHash } from '../sign-in/verification-code/activation.ts'
import { type GrantRequest, type RoleLock, findGrantErrors } from './grant-check.ts'
import type { Draft } from './validate-line.ts'
import { readExistingUsers, findTakenFields } from './resolve-line.ts'

export type Pending = PendingDraft<Draft>
export type PendingInDept = Pending & { draft: Draft & { deptId: number } }

/** The rights that a line grants to the new user. */
export const toGrantRequest = ({ line, draft: { deptId, roleIds = [] } }: PendingInDept): GrantRequest => ({
  line,
  deptId,
  chosen: true,
  roleIds,
})

const insertUsers = bulkInsert('users', {
  username: 'text',
  nickname: 'text',
  deptId: 'bigint',
  email: 'text',
  mobile: 'text',
  sex: 'text',
  enabled: 'boolean',
  remark: 'text',
  creator: 'bigint',
  updater: 'bigint',
} satisfies Record<Exclude<keyof Draft, 'roleIds'> | keyof ReturnType<typeof createStamp>, string>)
const insertRoles = bulkInsert('user_role', { userId: 'bigint', roleId: 'bigint' })
const codesFrom = rowsFromJson({ userId: 'bigint', codeHash: 'bytea' })

export type InsertedUser = Omit<Row<'users'>, 'search'>
/** Search bigrams are the longest part of a row and are not needed in the result. */
const { search: _search, ...readable } = tables.users.row.shape
// Keys of the row type equal the column names.
export const writtenColumns = Object.keys(readable).map((name) => `users.${name}`) as `users.${keyof InsertedUser}`[]
export const written = sql.join(writtenColumns.map((name) => sql.ref(name)))

const insert = async (trx: Db, rows: readonly PendingInDept[], caller: Caller): Promise<InsertedUser[]> => {
  const drafts = rows.map(({ draft: { enabled = true, sex = 'UNKNOWN', nickname = '', ...columns } }) => ({
    ...columns,
    nickname,
    sex,
    enabled,
    ...createStamp(caller),
  }))
  // Another request may have taken the name meanwhile; the other lines are written anyway.
  const { rows: made } = await sql<InsertedUser>`
    ${insertUsers(drafts)} on conflict do nothing returning ${written}`.execute(
    unscoped(trx, 'inserts read nothing; their departments were checked'),
  )
  return made
}

/** Work for this process while the database executes the previous statement; after a failure nothing more is sent. */
const meanwhile = async <T, M>(asking: Promise<T>, work: () => M): Promise<[T, M]> => {
  const working = asked().then(work)
  working.catch(() => undefined)
  const answer = await asking
  return [answer, await working]
}

type Made = { userId: number; user: InsertedUser; row: PendingInDept }

const give = async (trx: Db, made: readonly Made[], hashes: ReadonlyMap<number, string | null>) => {
  const roles = made.flatMap(({ userId, row }) => (row.draft.roleIds ?? []).map((roleId) => ({ userId, roleId })))
  if (roles.length > 0) await insertRoles(roles).execute(trx)
  const hashed = made.map(({ userId, row }) => ({ userId, codeHash: hashes.get(row.line) }))
  await sql`
    insert into activation_code (user_id, code_hash, expires_at)
    select "userId", "codeHash", now() + make_interval(days => ${ACTIVATION_DAYS}) from ${codesFrom(hashed)}`.execute(
    trx,
  )
}

const hashesOf = (jobId: number, rows: readonly PendingInDept[]) =>
  new Map(rows.map(({ line }) => [line, toByteaHex(activationHash(activationCode(jobId, line)))]))

/** Inserts the lines without errors, with everything that belongs to them. */
const make = async (trx: Db, jobId: number, good: readonly PendingInDept[], caller: Caller): Promise<Made[]> => {
  const [inserted, hashes] = await meanwhile(insert(trx, good, caller), () => hashesOf(jobId, good))
  const byName = new Map(inserted.map((user) => [user.username, user]))
  const made = good.flatMap((row): Made[] => {
    const user = byName.get(row.draft.username)
    return user ? [{ userId: user.id, user, row }] : []
  })
  if (made.length === 0) return []
  const at = await auditTime(trx)
  const recorded = () =>
    made.map(({ user, row }) => ({
      ...caller,
      action: 'system:user:create',
      subject: 'users',
      subjectId: user.id,
      after: { ...toAuditState(user), roleIds: row.draft.roleIds ?? [], importJobId: jobId },
    }))
  const [, audits] = await meanwhile(give(trx, made, hashes), () => auditRows(recorded(), at))
  await insertAuditRows(trx, audits)
  // One for all: the schools of the new users may have other recipients of alarms now.
  await emitEvents(trx, { type: 'permission.changed', userId: caller.actor.userId })
  return made
}

type Refused = { draft: Draft; reason: ImportReason }

/** Whose contacts an error has disclosed. */
const recordTaken = async (
  trx: Db,
  { jobId, refused, who }: { jobId: number; refused: readonly Refused[]; who: Caller },
) => {
  const result = refused.map(
    ({ draft, reason }): Contacts =>
      reason.field === 'mobile' || reason.field === 'email' ? { [reason.field]: draft[reason.field] } : {},
  )
  const ids = await findHiddenHolders(trx, who.actor, result)
  await auditDisclosure(trx, who, { call: userImports.commit.path, filter: { importJobId: jobId }, ids })
}

/** Why these could not be inserted: values that were taken meanwhile. */
const takenMeanwhile = async (trx: Db, rows: readonly PendingInDept[]): Promise<ReadonlyMap<number, ImportReason>> => {
  if (rows.length === 0) return new Map()
  const known = await readExistingUsers(
    trx,
    rows.map(({ draft }) => draft),
  )
  // The row that had it may be deleted again.
  const gone = cellError('username', codes.userExists)
  return new Map(rows.map(({ line, draft }) => [line, findTakenFields(draft, known)[0]?.reason ?? gone]))
}

/** The check guarantees that each new user has a department. */
export const asPendingInDept = (pending: readonly Pending[]) => pending as readonly PendingInDept[]

type Asked = { jobId: number; pending: readonly Pending[]; who: Caller; hold: RoleLock }

/**
 * Inserts the new users of one batch: without a password, each with an activation code. @returns the result of each
 * line.
 */
export const createUsers = async (trx: Db, { jobId, pending, who, hold }: Asked): Promise<Outcome[]> => {
  const rows = asPendingInDept(pending)
  const refused = await findGrantErrors(trx, rows.map(toGrantRequest), who, hold)
  const good = rows.filter(({ line }) => !refused.has(line))
  const made = good.length > 0 ? await make(trx, jobId, good, who) : []
  const ids = new Map(made.map(({ userId, row }) => [row.line, userId]))
  const lost = good.filter(({ line }) => !ids.has(line))
  const taken = await takenMeanwhile(trx, lost)
  const result = lost.flatMap(({ line, draft }) => {
    const reason = taken.get(line)
    return reason ? [{ draft, reason }] : []
  })
  if (result.length > 0) await recordTaken(trx, { jobId, refused: result, who })
  return rows.map(({ line }) => ({
    line,
    targetId: ids.get(line) ?? null,
    reason: refused.get(line) ?? taken.get(line),
  }))
}
