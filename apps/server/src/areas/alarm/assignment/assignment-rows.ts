import { Assignment, type AssignmentRow } from '@tocsin/contract/alarm/assignment'
import { codes } from '@tocsin/contract/codes'
import type { Db } from '#db/db'
import { scoped, unscoped } from '#db/scope'
import type { Row } from '#db/tables'
import { BusinessError } from '#http/business-error'
import type { Actor } from '#http/route'

export const assignmentColumns = Object.keys(Assignment.shape) as (keyof Assignment)[]

const namesOf = async (db: Db, rows: readonly Assignment[]): Promise<Map<number, string>> => {
  const ids = [...new Set(rows.flatMap(({ byUserId }) => byUserId ?? []))]
  if (ids.length === 0) return new Map()
  const users = await unscoped(db, 'who sent somebody, on rows that were read in the sight of the caller')
    .selectFrom('users')
    .select(['id', 'nickname'])
    .where('id', 'in', ids)
    .execute()
  return new Map(users.map(({ id, nickname }) => [id, nickname]))
}

export const toAssignmentRows = async (db: Db, rows: readonly Assignment[]): Promise<AssignmentRow[]> => {
  const names = await namesOf(db, rows)
  return rows.map((row) => ({ ...row, byName: names.get(row.byUserId ?? 0) ?? null }))
}

export const toAssignmentRow = async (db: Db, row: Row<'assignment'>): Promise<AssignmentRow> => {
  const [shown] = await toAssignmentRows(db, [row])
  if (!shown) throw new Error('one row in, one row out')
  return shown
}

/** The assignments of a visible record, in the order in which they were created. */
export const listAssignments = async (db: Db, actor: Actor, recordId: number): Promise<AssignmentRow[]> => {
  const seen = await scoped(db, actor)
    .selectFrom('warnRecord')
    .select('id')
    .where('id', '=', recordId)
    .executeTakeFirst()
  if (!seen) throw new BusinessError(codes.notFound, { what: '警情' })
  const rows = await unscoped(db, 'of a record that was read in the sight of the caller')
    .selectFrom('assignment')
    .select(assignmentColumns)
    .where('recordId', '=', recordId)
    .orderBy('id')
    .execute()
  return toAssignmentRows(db, rows)
}
