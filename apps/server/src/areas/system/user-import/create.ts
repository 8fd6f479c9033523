import { codes } from '@tocsin/contract/codes'
import { type ImportReason, userImports } from '@tocsin/contract/system/user-import'
import { sql } from 'kysely'
import { setImmediate as asked } from 'node:timers/promises'
import type { Db } from '#db/db'
import { hex, insertRows, rowsFrom } from '#db/rows'
import { everything } from '#db/scope'
import { type Row, tables } from '#db/tables'
import { auditRows, auditTime, insertAudits } from '../audit.ts'
import { authored, recordable, type Who } from '../edit.ts'
import { type Contacts, hiddenHolders, recordTold } from '../user/taken.ts'
import { ACTIVATION_DAYS, activationCode, activationHash } from '../code/activation.ts'
import { type Giving, type Hold, refusals } from './entitled.ts'
import type { Draft } from './judge.ts'
import { refusedCell } from './reason.ts'
import { readKnown, takenIn } from './settle.ts'

export type Pending = { line: number; draft: Draft }
export type Outcome = { line: number; userId: number | null; reason: ImportReason | undefined }
export type Ready = Pending & { draft: Draft & { deptId: number } }

/** What it gives to the new user. */
export const givenBy = ({ line, draft: { deptId, roleIds = [] } }: Ready): Giving => ({
  line,
  deptId,
  chosen: true,
  roleIds,
})

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

export type Written = Omit<Row<'users'>, 'search'>
/** Pairs for the search are the longest part of a row, and nobody reads them here. */
const { search: _search, ...readable } = tables.users.row.shape
// The names of a row are its columns.
export const writtenColumns = Object.keys(readable).map((name) => `users.${name}`) as `users.${keyof Written}`[]
export const written = sql.join(writtenColumns.map((name) => sql.ref(name)))

const insert = async (trx: Db, rows: readonly Ready[], who: Who): Promise<Written[]> => {
  const drafts = rows.map(({ draft: { enabled = true, sex = 'UNKNOWN', nickname = '', ...columns } }) => ({
    ...columns,
    nickname,
    sex,
    enabled,
    ...authored(who),
  }))
  // Somebody else may have taken the name meanwhile; the other lines are written all the same.
  const { rows: made } = await sql<Written>`
    ${insertUsers(drafts)} on conflict do nothing returning ${written}`.execute(
    everything(trx, 'inserts read nothing; their departments were checked'),
  )
  return made
}

/** Work for this process while the database does what it was just asked; whoever fails, nothing is asked afterwards. */
const meanwhile = async <T, M>(asking: Promise<T>, work: () => M): Promise<[T, M]> => {
  const working = asked().then(work)
  working.catch(() => undefined)
  const answer = await asking
  return [answer, await working]
}

type Made = { userId: number; user: Written; row: Ready }

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

const hashesOf = (jobId: number, rows: readonly Ready[]) =>
  new Map(rows.map(({ line }) => [line, hex(activationHash(activationCode(jobId, line)))]))

/** Writes those of whom nothing is refused, with all that comes with them. */
const make = async (trx: Db, jobId: number, good: readonly Ready[], who: Who): Promise<Made[]> => {
  const [inserted, hashes] = await meanwhile(insert(trx, good, who), () => hashesOf(jobId, good))
  const byName = new Map(inserted.map((user) => [user.username, user]))
  const made = good.flatMap((row): Made[] => {
    const user = byName.get(row.draft.username)
    return user ? [{ userId: user.id, user, row }] : []
  })
  if (made.length === 0) return []
  const at = await auditTime(trx)
  const recorded = () =>
    made.map(({ user, row }) => ({
      ...who,
      action: 'system:user:create',
      subject: 'users',
      subjectId: user.id,
      after: { ...recordable(user), roleIds: row.draft.roleIds ?? [], importJobId: jobId },
    }))
  const [, audits] = await meanwhile(give(trx, made, hashes), () => auditRows(recorded(), at))
  await insertAudits(trx, audits)
  return made
}

type Refused = { draft: Draft; reason: ImportReason }

/** Whose contacts a refusal has told. */
const recordTaken = async (
  trx: Db,
  { jobId, refused, who }: { jobId: number; refused: readonly Refused[]; who: Who },
) => {
  const told = refused.map(
    ({ draft, reason }): Contacts =>
      reason.field === 'mobile' || reason.field === 'email' ? { [reason.field]: draft[reason.field] } : {},
  )
  const ids = await hiddenHolders(trx, who.actor, told)
  await recordTold(trx, who, { call: userImports.commit.path, filter: { importJobId: jobId }, ids })
}

/** Why these could not be inserted: what somebody else has by now. */
const takenMeanwhile = async (trx: Db, rows: readonly Ready[]): Promise<ReadonlyMap<number, ImportReason>> => {
  if (rows.length === 0) return new Map()
  const known = await readKnown(
    trx,
    rows.map(({ draft }) => draft),
  )
  // Whoever had it may be gone again.
  const gone = refusedCell('username', codes.userExists)
  return new Map(rows.map(({ line, draft }) => [line, takenIn(draft, known)[0]?.reason ?? gone]))
}

/** The check has put a department into each draft of a new user. */
export const withDept = (pending: readonly Pending[]) => pending as readonly Ready[]

type Asked = { jobId: number; pending: readonly Pending[]; who: Who; hold: Hold }

/** Writes new users of one batch: without a password, each with an activation code. @returns what became of each line. */
export const createUsers = async (trx: Db, { jobId, pending, who, hold }: Asked): Promise<Outcome[]> => {
  const rows = withDept(pending)
  const refused = await refusals(trx, rows.map(givenBy), who, hold)
  const good = rows.filter(({ line }) => !refused.has(line))
  const made = good.length > 0 ? await make(trx, jobId, good, who) : []
  const ids = new Map(made.map(({ userId, row }) => [row.line, userId]))
  const lost = good.filter(({ line }) => !ids.has(line))
  const taken = await takenMeanwhile(trx, lost)
  const told = lost.flatMap(({ line, draft }) => {
    const reason = taken.get(line)
    return reason ? [{ draft, reason }] : []
  })
  if (told.length > 0) await recordTaken(trx, { jobId, refused: told, who })
  return rows.map(({ line }) => ({ line, userId: ids.get(line) ?? null, reason: refused.get(line) ?? taken.get(line) }))
}
