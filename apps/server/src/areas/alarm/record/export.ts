import { milestones } from '@tocsin/contract/alarm/milestone'
import { type LogQuery, WarnLogRow } from '@tocsin/contract/alarm/log'
import { type RecordQuery, WarnRecordRow } from '@tocsin/contract/alarm/record'
import { formatLogText } from '@tocsin/contract/alarm/log-text'
import { type Lang, labelIn } from '@tocsin/contract/field'
import { localizedColumns } from '#areas/alarm/export-columns'
import type { Db } from '#db/db'
import type { ExportFormat } from '@tocsin/contract/export'
import type { CsvColumn } from '#http/csv'
import type { Actor, FileResponse } from '#http/route'
import { createExportFile } from '#spreadsheet/xlsx'
import { readLogBatches } from './log-list.ts'
import { readRecordBatches } from './record-list.ts'

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
  'sampled',
  ...milestones,
  'ruleName',
] as const satisfies (keyof WarnRecordRow)[]

const recordWords = {
  class: 'warnClass',
  code: 'alarmCode',
  level: 'level',
  validation: 'validation',
  mode: 'mode',
  state: 'recordState',
  condition: 'situation',
  disposition: 'disposition',
  causeCode: 'cause',
} as const

const logWords = { kind: 'logKind', verb: 'traceVerb', fromState: 'recordState', toState: 'recordState' } as const

const logColumns = (lang: Lang): CsvColumn<WarnLogRow>[] => {
  const localized = (...fields: ('recordNo' | 'no' | 'at' | 'schoolName' | 'actorAccount' | keyof typeof logWords)[]) =>
    localizedColumns(WarnLogRow.shape, fields, { words: logWords, lang })
  const system = lang === 'en' ? 'System' : '系统'
  const { actorName, hash } = WarnLogRow.shape
  return [
    ...localized('recordNo', 'no', 'at', 'kind', 'verb'),
    { title: labelIn(lang, actorName), cell: (entry) => (entry.actorId === null ? system : entry.actorName) },
    ...localized('actorAccount'),
    ...localized('fromState', 'toState', 'schoolName'),
    { title: lang === 'en' ? 'Content' : '内容', cell: ({ payload }) => formatLogText(payload, lang) },
    { title: labelIn(lang, hash), cell: (entry) => entry.hash },
  ]
}

type ExportQuery<Q> = Q & { lang?: Lang | undefined; format?: ExportFormat | undefined }

export const exportRecords = (db: Db, actor: Actor, query: ExportQuery<RecordQuery>): Promise<FileResponse> => {
  const { lang = 'zh-cn', format = 'csv' } = query
  const columns = localizedColumns(WarnRecordRow.shape, recordFields, { words: recordWords, lang })
  return createExportFile<WarnRecordRow>(
    { name: lang === 'en' ? 'Alarm records' : '警情记录', format },
    columns,
    readRecordBatches(db, actor, query),
  )
}

export const exportLog = (db: Db, actor: Actor, query: ExportQuery<LogQuery>): Promise<FileResponse> => {
  const { lang = 'zh-cn', format = 'csv' } = query
  const batches = readLogBatches(db, actor, query)
  return createExportFile<WarnLogRow>(
    { name: lang === 'en' ? 'Alarm log' : '警情日志', format },
    logColumns(lang),
    batches,
  )
}
