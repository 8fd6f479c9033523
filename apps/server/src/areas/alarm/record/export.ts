import { milestones } from '@tocsin/contract/alarm/milestone'
import { type LogQuery, WarnLogRow } from '@tocsin/contract/alarm/log'
import { type RecordQuery, WarnRecordRow } from '@tocsin/contract/alarm/record'
import { traceText } from '@tocsin/contract/alarm/trace'
import { type Lang, labelIn } from '@tocsin/contract/field'
import { spokenColumns } from '#areas/alarm/spoken'
import type { Db } from '#db/db'
import { type CsvColumn, csvFile } from '#http/csv'
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
  const spoken = (...fields: ('recordNo' | 'no' | 'at' | 'schoolName' | keyof typeof logWords)[]) =>
    spokenColumns(WarnLogRow.shape, fields, { words: logWords, lang })
  const system = lang === 'en' ? 'System' : '系统'
  const { actorName, hash } = WarnLogRow.shape
  return [
    ...spoken('recordNo', 'no', 'at', 'kind', 'verb'),
    { title: labelIn(lang, actorName), cell: (entry) => (entry.actorId === null ? system : entry.actorName) },
    ...spoken('fromState', 'toState', 'schoolName'),
    { title: lang === 'en' ? 'Content' : '内容', cell: ({ payload }) => traceText(payload, lang) },
    { title: labelIn(lang, hash), cell: (entry) => entry.hash },
  ]
}

type Spoken<Q> = Q & { lang?: Lang | undefined }

export const exportRecords = (db: Db, actor: Actor, query: Spoken<RecordQuery>): Promise<FileAnswer> => {
  const { lang = 'zh-cn' } = query
  const columns = spokenColumns(WarnRecordRow.shape, recordFields, { words: recordWords, lang })
  return csvFile<WarnRecordRow>(lang === 'en' ? 'Alarm records' : '预警记录', columns, recordBatches(db, actor, query))
}

export const exportLog = (db: Db, actor: Actor, query: Spoken<LogQuery>): Promise<FileAnswer> => {
  const { lang = 'zh-cn' } = query
  const batches = logBatches(db, actor, query)
  return csvFile<WarnLogRow>(lang === 'en' ? 'Alarm log' : '预警日志', logColumns(lang), batches)
}
