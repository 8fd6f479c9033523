import { milestones } from '@tocsin/contract/alarm/milestone'
import { type LogQuery, WarnLogRow } from '@tocsin/contract/alarm/log'
import { type RecordQuery, WarnRecordRow } from '@tocsin/contract/alarm/record'
import { labelIn } from '@tocsin/contract/field'
import type { z } from 'zod'
import type { Db } from '#db/db'
import { type Cell, type CsvColumn, csvFile } from '#http/csv'
import type { Actor, FileAnswer } from '#http/route'
import { logBatches } from './log-list.ts'
import { recordBatches } from './record-list.ts'

const recordFields = [
  'no',
  'class',
  'code',
  'level',
  'validation',
  'mode',
  'state',
  'condition',
  'schoolName',
  'placePath',
  'building',
  'floor',
  'room',
  'sn',
  'silent',
  'late',
  'duress',
  'presserCancelled',
  'occurrenceCount',
  'pressCount',
  'firstAt',
  'lastAt',
  'ownerName',
  'resolverName',
  'disposition',
  'causeCode',
  'note',
  ...milestones,
  'ruleName',
] as const satisfies (keyof WarnRecordRow)[]

const logFields = ['recordNo', 'no', 'at', 'kind', 'verb', 'actorName', 'fromState', 'toState', 'schoolName'] as const

const columns = <K extends string>(shape: Record<K, z.ZodType>, fields: readonly K[]): CsvColumn<Record<K, Cell>>[] =>
  fields.map((field) => ({ title: labelIn('zh-cn', shape[field]), cell: (row) => row[field] }))

const recordCsv = columns(WarnRecordRow.shape, recordFields)

const logCsv: CsvColumn<WarnLogRow>[] = [
  ...columns(WarnLogRow.shape, logFields),
  { title: '内容', cell: ({ payload }) => JSON.stringify(payload) },
  { title: labelIn('zh-cn', WarnLogRow.shape.hash), cell: ({ hash }) => hash },
]

export const exportRecords = (db: Db, actor: Actor, query: RecordQuery): Promise<FileAnswer> =>
  csvFile<WarnRecordRow>('预警记录', recordCsv, recordBatches(db, actor, query))

export const exportLog = (db: Db, actor: Actor, query: LogQuery): Promise<FileAnswer> =>
  csvFile<WarnLogRow>('预警日志', logCsv, logBatches(db, actor, query))
