import { codes } from '@tocsin/contract/codes'
import { handoverStates } from '@tocsin/contract/security/handover-machine'
import {
  type HandoverDetail,
  type HandoverQuery,
  HandoverRow,
  handovers,
  HandoverSummary,
} from '@tocsin/contract/security/handover'
import { dutyLabel } from '@tocsin/contract/security/duty-labels'
import { sql } from 'kysely'
import { z } from 'zod'
import type { EditableTable } from '#areas/audit/edit-row'
import type { Exporter, ExportOptions, RowsQuery } from '#areas/audit/exporter'
import { registerConstraintErrors } from '#db/constraint-error'
import type { Db } from '#db/db'
import { countCapped } from '#db/page'
import { scoped, unscoped } from '#db/scope'
import { byWord, type ListOrder, toOrderBy } from '#db/sort'
import type { Row } from '#db/tables'
import { BusinessError } from '#http/business-error'
import type { Actor } from '#http/route'
import { toOffsetLimit } from '#http/time-window'
import { sheetColumn } from '#spreadsheet/column'
import { ownerEvent, ownerName } from '../owner.ts'
import { buildSummary } from './handover-summary.ts'

registerConstraintErrors({
  handover_open: { code: codes.handoverOpen },
  handover_school_id_fkey: { code: codes.referred, params: { what: '学校' } },
  handover_dept_id_fkey: { code: codes.referred, params: { what: '部门' } },
})

export type StoredHandover = Row<'handover'>

/** Who signed is named to whoever sees the handover. */
const selectHandovers = (db: Db, userId: number) =>
  unscoped(db, 'people and units of visible handovers')
    .selectFrom('handover')
    .leftJoin('school', 'school.id', 'handover.schoolId')
    .leftJoin('dept', 'dept.id', 'handover.deptId')
    .innerJoin('users as giver', 'giver.id', 'handover.giverId')
    .leftJoin('users as taker', 'taker.id', 'handover.takerId')
    .selectAll('handover')
    .select([
      ownerName.as('ownerName'),
      'giver.nickname as giverName',
      'taker.nickname as takerName',
      sql<boolean>`handover.giver_id = ${userId}`.as('isGiver'),
    ])

const filterHandovers = (db: Db, actor: Actor, query: HandoverQuery) =>
  scoped(db, actor)
    .selectFrom('handover')
    .select('handover.id')
    .$if(!!query.state?.length, (q) => q.where('state', 'in', query.state ?? []))
    .$if(query.schoolId !== undefined, (q) => q.where('schoolId', '=', query.schoolId ?? 0))
    .$if(query.from !== undefined, (q) => q.where('createTime', '>=', query.from ?? new Date()))
    .$if(query.to !== undefined, (q) => q.where('createTime', '<=', query.to ?? new Date()))

const order: ListOrder<HandoverQuery> = {
  columns: {
    ownerName: { by: ownerName },
    state: { by: byWord(sql`handover.state`, handoverStates) },
    givenAt: { by: sql`handover.given_at`, nullable: true },
    takenAt: { by: sql`handover.taken_at`, nullable: true },
  },
  usual: sql`handover.state not in ('DRAFT', 'GIVEN'), handover.id desc`,
  id: sql`handover.id`,
}

/** What waits for a signature comes first. */
const listHandovers = (db: Db, actor: Actor, query: HandoverQuery) =>
  selectHandovers(db, actor.userId)
    .where('handover.id', 'in', filterHandovers(db, actor, query))
    .orderBy(toOrderBy(query.orderBy, order))

export const pageHandovers = async (db: Db, actor: Actor, query: HandoverQuery) => {
  const { limit, offset } = toOffsetLimit(query)
  const [list, total] = await Promise.all([
    listHandovers(db, actor, query).limit(limit).offset(offset).execute(),
    countCapped(db, filterHandovers(db, actor, query)),
  ])
  return { list: list.map(({ summary: _summary, ...row }): HandoverRow => row), ...total }
}

export const handoverExport: Exporter<HandoverQuery & ExportOptions, HandoverRow> = {
  endpoints: handovers,
  subject: 'handover',
  name: '交接班',
  nameEn: 'Handovers',
  columns: async (_db, lang) => [
    sheetColumn(HandoverRow, 'ownerName', { width: 28 }),
    sheetColumn(HandoverRow, 'giverName'),
    sheetColumn(HandoverRow, 'givenAt', { width: 20 }),
    sheetColumn(HandoverRow, 'note', { width: 36 }),
    sheetColumn(HandoverRow, 'takerName'),
    sheetColumn(HandoverRow, 'takenAt', { width: 20 }),
    sheetColumn(HandoverRow, 'takerNote', { width: 36 }),
    sheetColumn(HandoverRow, 'state', { cell: (state) => dutyLabel('handoverState', state, lang) }),
  ],
  rows: (db, actor, query) => listHandovers(db, actor, query) as unknown as RowsQuery<HandoverRow>,
}

export const getHandover = async (db: Db, actor: Actor, id: number): Promise<HandoverDetail> => {
  const visible = scoped(db, actor).selectFrom('handover').select('handover.id').where('id', '=', id)
  const row = await selectHandovers(db, actor.userId).where('handover.id', 'in', visible).executeTakeFirst()
  if (!row) throw new BusinessError(handoverTable.missing)
  const { summary, ...rest } = row
  const signed = summary && z.decode(HandoverSummary, summary as z.input<typeof HandoverSummary>)
  return { ...rest, summary: signed ?? (await buildSummary(db, actor, row)) }
}

export const handoverTable: EditableTable<'handover'> = {
  table: 'handover',
  action: 'security:handover',
  missing: { ...codes.notFound, zh: '交接班不存在', en: 'The handover does not exist' },
  current: (trx, { id }, { actor }) => getHandover(trx, actor, id),
  events: (handover) => [ownerEvent('handover.changed', handover.id, handover)],
}
