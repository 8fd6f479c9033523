import { codes } from '@tocsin/contract/codes'
import type { ImportReason } from '@tocsin/contract/system/user-import'
import { sql } from 'kysely'
import type { Db } from '#db/db'
import { hex, insertRows, rowsFrom } from '#db/rows'
import { everything } from '#db/scope'
import { type Row, tables } from '#db/tables'
import { may } from '#http/route'
import { auditAll } from '../audit.ts'
import { authored, recordable, type Who } from '../edit.ts'
import { seesDept } from '../role/rights.ts'
import { ACTIVATION_DAYS, activationCode, activationHash } from './activation.ts'
import { ASSIGN, entitled } from './entitled.ts'
import type { Draft } from './judge.ts'
import { refusedBy, refusedCell } from './reason.ts'

export type Pending = { line: number; draft: Draft }
export type Outcome = { line: number; userId: number | null; reason: ImportReason | undefined }
type Ready = Pending & { draft: Draft & { deptId: number } }

/** Departments that may be chosen at this moment, held until the commit. */
const openDepts = async (trx: Db, { actor }: Who, rows: readonly Ready[]): Promise<ReadonlySet<number>> => {
  const ids = [...new Set(rows.map(({ draft }) => draft.deptId))].filter((id) => seesDept(actor, id))
  if (ids.length === 0) return new Set()
  const found = await trx
    .selectFrom('dept')
    .select('id')
    .where('id', 'in', ids)
    .where('enabled', '=', true)
    .orderBy('id')
    .forKeyShare()
    .execute()
  return new Set(found.map(({ id }) => id))
}

/** Roles that may be given at this moment, held in order of their ids, so that what they give stays the same. */
const openRoles = async (trx: Db, rows: readonly Ready[]): Promise<ReadonlySet<number>> => {
  const ids = [...new Set(rows.flatMap(({ draft }) => draft.roleIds ?? []))]
  if (ids.length === 0) return new Set()
  const found = await trx
    .selectFrom('role')
    .select('id')
    .where('id', 'in', ids)
    .where('enabled', '=', true)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  return new Set(found.map(({ id }) => id))
}

/** The check may be a day old: who may, and what may be chosen, is asked again here. */
const refusals = async (trx: Db, rows: readonly Ready[], who: Who) => {
  const [depts, roles] = [await openDepts(trx, who, rows), await openRoles(trx, rows)]
  const rights = entitled(trx, who.actor)
  const refused = new Map<number, ImportReason>()
  for (const { line, draft } of rows) {
    const { deptId, roleIds = [] } = draft
    const within = roleIds.length > 0 ? await rights.within(roleIds, deptId) : undefined
    if (!depts.has(deptId)) refused.set(line, refusedCell('deptId', codes.deptMissing))
    else if (roleIds.some((id) => !roles.has(id))) refused.set(line, refusedCell('roles', codes.roleMissing))
    else if (roleIds.length > 0 && !may(who.actor)(ASSIGN)) refused.set(line, refusedCell('roles', codes.forbidden))
    else if (within) refused.set(line, refusedBy('roles', within))
  }
  return refused
}

const insertUsers = insertRows('users', {
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
} satisfies Record<Exclude<keyof Draft, 'roleIds'> | keyof ReturnType<typeof authored>, string>)
const insertRoles = insertRows('user_role', { userId: 'bigint', roleId: 'bigint' })
const codesFrom = rowsFrom({ userId: 'bigint', codeHash: 'bytea' })

type Written = Omit<Row<'users'>, 'search'>
/** Pairs for the search are the longest part of a row, and nobody reads them here. */
const writtenColumns = sql.join(
  Object.keys(tables.users.row.shape)
    .filter((name) => name !== 'search')
    .map((name) => sql.ref(name)),
)

const insert = async (trx: Db, rows: readonly Ready[], who: Who): Promise<Written[]> => {
  const drafts = rows.map(({ draft: { enabled = true, sex = 'UNKNOWN', nickname = '', ...columns } }) => ({
    ...columns,
    nickname,
    sex,
    enabled,
    ...authored(who),
  }))
  // Somebody else may have taken the name meanwhile; the other lines are written all the same.
  const written = await sql<Written>`
    ${insertUsers(drafts)} on conflict do nothing returning ${writtenColumns}`.execute(
    everything(trx, 'inserts read nothing; their departments were checked'),
  )
  return written.rows
}

const give = async (trx: Db, jobId: number, made: readonly { userId: number; row: Ready }[]) => {
  const roles = made.flatMap(({ userId, row }) => (row.draft.roleIds ?? []).map((roleId) => ({ userId, roleId })))
  if (roles.length > 0) await insertRoles(roles).execute(trx)
  const hashed = made.map(({ userId, row }) => ({
    userId,
    codeHash: hex(activationHash(activationCode(jobId, row.line))),
  }))
  await sql`
    insert into activation_code (user_id, code_hash, expires_at)
    select "userId", "codeHash", now() + make_interval(days => ${ACTIVATION_DAYS}) from ${codesFrom(hashed)}`.execute(
    trx,
  )
}

/** Writes new users of one batch: without a password, each with an activation code. @returns what became of each line. */
export const createUsers = async (
  trx: Db,
  jobId: number,
  pending: readonly Pending[],
  who: Who,
): Promise<Outcome[]> => {
  // The check has put a department into each draft of a new user.
  const rows = pending as readonly Ready[]
  const refused = await refusals(trx, rows, who)
  const good = rows.filter(({ line }) => !refused.has(line))
  const inserted = good.length > 0 ? await insert(trx, good, who) : []
  const byName = new Map(inserted.map((user) => [user.username, user]))
  const made = good.flatMap((row) => {
    const user = byName.get(row.draft.username)
    return user ? [{ userId: user.id, user, row }] : []
  })
  if (made.length > 0) {
    await give(trx, jobId, made)
    await auditAll(
      trx,
      made.map(({ user, row }) => ({
        ...who,
        action: 'system:user:create',
        subject: 'users',
        subjectId: user.id,
        after: { ...recordable(user), roleIds: row.draft.roleIds ?? [], importJobId: jobId },
      })),
    )
  }
  const ids = new Map(made.map(({ userId, row }) => [row.line, userId]))
  return rows.map(({ line }) => {
    const userId = ids.get(line) ?? null
    const taken = refusedCell('username', codes.userExists)
    return { line, userId, reason: userId === null ? (refused.get(line) ?? taken) : undefined }
  })
}
