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

/** How the rows of each table are seen, by the name that the audit has for it; a department is seen as itself. */
const sights = new Map<string, Columns>([
  ['dept', { dept: 'id' }],
  ...Object.entries(tables).flatMap(([name, { sight }]): [string, Columns][] =>
    sight === 'open' ? [] : [[snake(name), sight]],
  ),
])

/** Whether this person sees a row by what it says of itself; undefined when it does not say where it belongs. */
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

/** A row that says nothing of where it belongs: whether it is in sight is looked up. */
type Lookup = { table: string; id: number }

/** The tables that the map knows have an id, which TypeScript cannot follow through a name. */
const stillSeen = async (db: Db, actor: Actor, lookups: readonly Lookup[]): Promise<(one: Lookup) => boolean> => {
  const seen = new Map<string, Set<number>>()
  for (const [table, rows] of Map.groupBy(lookups, (one) => one.table)) {
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

/** Whose a row is that is no scoped table's own: a session is seen with its person. */
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
  // A department is no scoped table: it has said all there is.
  return subject === 'dept' ? saidOf(actor, columns, { id }) === true : { table: subject, id }
}

/**
 * Whether this person may see what each of these deeds changed: colleagues of his department may see further than he.
 * Rows that were or are in his sight are, and so is whatever he did himself.
 */
export const canSeeSubjects = async (db: Db, actor: Actor, deeds: readonly AuditedAction[]): Promise<boolean[]> => {
  const verdicts = deeds.map((deed) => judged(actor, deed))
  const isSeen = await stillSeen(
    db,
    actor,
    verdicts.filter((one) => typeof one === 'object'),
  )
  return verdicts.map((one) => (typeof one === 'object' ? isSeen(one) : one))
}
