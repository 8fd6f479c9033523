import { type EnumLabels, lookupLabel } from '@tocsin/contract/field'
import { type AuditLogQuery, AuditLogSheetRow, auditLogs } from '@tocsin/contract/audit/audit-log'
import { auditLabels } from '@tocsin/contract/audit/audit-labels'
import { sql } from 'kysely'
import type { Db } from '#db/db'
import { logDirection } from '#db/page'
import { scoped } from '#db/scope'
import { sheetColumn } from '#spreadsheet/column'
import type { Exporter, ExportOptions, RowsQuery } from '../exporter.ts'
import { auditSearch, columns, selectAuditRows, type Read, toAuditLogRow } from './audit-log.ts'
import { withheldState, revealPermissions, visibleStates } from './audit-state.ts'
import type { RegionOf } from './region.ts'
import type { AuditedAction } from './subject.ts'

type Seal = Pick<AuditLogSheetRow, 'seal' | 'sealHash'>
const unsealed: Seal = { seal: null, sealHash: null }

/** The seals of these rows, in a transaction. One covers up to 2,000 consecutive rows: few are looked up. */
const sealsOf = async (db: Db, ids: readonly number[]): Promise<(id: number) => Seal> => {
  const seals = new Map(ids.map((id) => [id, unsealed]))
  const waiting = await db.selectFrom('auditUnsealed').select('id').where(sql<boolean>`id = any(${ids})`).execute()
  // A seal stores its ids out of line: the planner underestimates the cost of reading them all.
  await sql`set local enable_seqscan = off`.execute(db)
  const open = new Set(ids).difference(new Set(waiting.map(({ id }) => id)))
  for (const id of open) {
    const found = await db
      .selectFrom('seal')
      .select(['seq', 'hash', 'rowIds'])
      .where(sql<boolean>`row_ids @> ${JSON.stringify([id])}::jsonb`)
      .executeTakeFirst()
    if (!found) continue
    const seal = { seal: found.seq, sealHash: found.hash.toString('hex') }
    for (const covered of found.rowIds) if (open.delete(covered)) seals.set(covered, seal)
  }
  return (id) => seals.get(id) ?? unsealed
}

const hashText = sql<string>`encode(audit_log.hash, 'hex')`

type Found = Read & Pick<AuditedAction, 'before' | 'after'> & { hash: string }

const jsonOf = (state: AuditLogSheetRow['before']) => state && JSON.stringify(state)

const { auditModule, auditVerb, auditSubject, region: regionWords } = auditLabels

/** The detail of each row as text, with the same permissions, and the exact name of its action. */
export const auditLogExporter = (
  regionOf: RegionOf,
): Exporter<AuditLogQuery & ExportOptions, AuditLogSheetRow, Found> => ({
  endpoints: auditLogs,
  subject: 'audit_log',
  name: '操作日志',
  nameEn: 'Operations',
  reveals: revealPermissions,
  columns: async (_, lang) => {
    const spoken = (words: EnumLabels<string>) => (word: string | null) => word && lookupLabel(words, word, lang)
    return [
      sheetColumn(AuditLogSheetRow, 'id'),
      sheetColumn(AuditLogSheetRow, 'createTime'),
      sheetColumn(AuditLogSheetRow, 'userId'),
      sheetColumn(AuditLogSheetRow, 'userName'),
      sheetColumn(AuditLogSheetRow, 'type', { cell: spoken(auditModule) }),
      sheetColumn(AuditLogSheetRow, 'subType', { cell: spoken(auditVerb) }),
      sheetColumn(AuditLogSheetRow, 'action', { width: 30 }),
      sheetColumn(AuditLogSheetRow, 'subject', { cell: spoken(auditSubject) }),
      sheetColumn(AuditLogSheetRow, 'bizId'),
      sheetColumn(AuditLogSheetRow, 'result'),
      sheetColumn(AuditLogSheetRow, 'userIp'),
      sheetColumn(AuditLogSheetRow, 'region', { cell: spoken(regionWords) }),
      sheetColumn(AuditLogSheetRow, 'userAgent'),
      sheetColumn(AuditLogSheetRow, 'requestMethod'),
      sheetColumn(AuditLogSheetRow, 'requestUrl', { width: 30 }),
      sheetColumn(AuditLogSheetRow, 'traceId'),
      sheetColumn(AuditLogSheetRow, 'durationMs'),
      sheetColumn(AuditLogSheetRow, 'before', { width: 40, cell: jsonOf }),
      sheetColumn(AuditLogSheetRow, 'after', { width: 40, cell: jsonOf }),
      sheetColumn(AuditLogSheetRow, 'withheld'),
      sheetColumn(AuditLogSheetRow, 'hash', { width: 24 }),
      sheetColumn(AuditLogSheetRow, 'seal'),
      sheetColumn(AuditLogSheetRow, 'sealHash', { width: 24 }),
    ]
  },
  rows: async (db, actor, query) => {
    return selectAuditRows(scoped(db, actor), query, await auditSearch(db, query))
      .select(columns)
      .select(['before', 'after', hashText.as('hash')])
      .orderBy('at', logDirection(query.orderBy))
      .orderBy('id', logDirection(query.orderBy)) as unknown as RowsQuery<Found>
  },
  shown: async ({ db, actor }, rows) => {
    const deeds = rows.map((row) => ({ ...row, subjectId: row.bizId }))
    const states = await visibleStates(db, actor, deeds)
    const sealOf = await sealsOf(
      db,
      rows.map(({ id }) => id),
    )
    const shown = toAuditLogRow(regionOf)
    return rows.map(({ hash, ...row }, at) => ({
      ...shown(row),
      ...(states[at] ?? withheldState),
      hash,
      ...sealOf(row.id),
    }))
  },
})
