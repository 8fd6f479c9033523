import { sql } from 'kysely'
import type { Db } from '#db/db'
import { scoped } from '#db/scope'
import type { Row } from '#db/tables'
import { tables } from '#db/tables'
import type { VisibilityColumns } from '#db/tables/table'
import type { Actor } from '#http/route'

type Columns = Exclude<VisibilityColumns, 'open'>

const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
const camel = (name: string) => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())

/** The visibility of the rows of each table, by its name in the audit; a department is visible as itself. */
const sights = new Map<string, Columns>([
  ['dept', { dept: 'id' }],
  ...Object.entries(tables).flatMap(([name, { sight }]): [string, Columns][] =>
    sight === 'open' ? [] : [[snake(name), sight]],
  ),
])

/** Whether this user sees a row by its stored columns; undefined when these do not tell where it belongs. */
const saidOf = ({ schools, depts, userId }: Actor, columns: Columns, state: object): boolean | undefined => {
  const said = new Map(Object.entries(state))
  const ways = [
    { column: columns.school, ids: schools },
    { column: columns.dept, ids: depts },
    { column: columns.user, ids: [userId] },
  ].flatMap(({ column, ids }) => {
    const value: unknown = column && said.get(camel(column))
    return typeof value === 'number' ? [ids === 'all' || ids.includes(value)] : []
  })
  return ways.length === 0 ? undefined : ways.some(Boolean)
}

/** A row without visibility columns of its own: its visibility is looked up. */
type Lookup = { table: string; id: number }

/** All tables of the map have an id, which TypeScript cannot follow through a name. */
const stillSeen = async (db: Db, actor: Actor, lookups: readonly Lookup[]): Promise<(lookup: Lookup) => boolean> => {
  const seen = new Map<string, Set<number>>()
  for (const [table, rows] of Map.groupBy(lookups, (value) => value.table)) {
    const found = await scoped(db, actor)
      .selectFrom(table as 'users')
      .select('id')
      .where(sql<boolean>`id = any(${rows.map(({ id }) => id)})`)
      .execute()
    seen.set(table, new Set(found.map(({ id }) => id)))
  }
  return ({ table, id }) => seen.get(table)?.has(id) ?? false
}

export type AuditedAction = Pick<Row<'auditLog'>, 'userId' | 'subject' | 'subjectId' | 'before' | 'after'>

/** The owner of a row of an unscoped table: a session is visible with its user. */
const ownerIn = ({ before, after }: AuditedAction): number | undefined => {
  const found = [before, after].flatMap((state) => (state && 'userId' in state ? [state['userId']] : []))
  return found.find((id) => typeof id === 'number')
}

const judged = (actor: Actor, deed: AuditedAction): boolean | Lookup => {
  const { userId, subject, subjectId: id, before, after } = deed
  if (actor.depts === 'all' || userId === actor.userId || !subject || id === null) return true
  const owner = subject === 'session' ? ownerIn(deed) : undefined
  if (owner !== undefined) return { table: 'users', id: owner }
  const columns = sights.get(subject)
  if (!columns) return true
  const states = [before, after].filter((state) => state !== null)
  const said = states.map((state) => saidOf(actor, columns, { id, ...state }))
  if (said.includes(true)) return true
  // A department is no scoped table: its columns have told everything.
  return subject === 'dept' ? saidOf(actor, columns, { id }) === true : { table: subject, id }
}

/**
 * Whether this user may see what each of these operations changed: colleagues of a department may see more than the
 * user. Visible are rows that were or are visible to the user, and the user's own operations.
 */
export const canSeeSubjects = async (db: Db, actor: Actor, deeds: readonly AuditedAction[]): Promise<boolean[]> => {
  const verdicts = deeds.map((deed) => judged(actor, deed))
  const isSeen = await stillSeen(
    db,
    actor,
    verdicts.filter((verdict) => typeof verdict === 'object'),
  )
  return verdicts.map((verdict) => (typeof verdict === 'object' ? isSeen(verdict) : verdict))
}
