import { WarnRecordRow } from '@tocsin/contract/alarm/record'
import { type Lang, labelIn } from '@tocsin/contract/field'
import { formatDateTime } from '#ui/time.ts'
import { enumLabel, type EnumKind } from '#texts/enum-labels.ts'

/** User decisions about a record that another user must know before continuing. */
const decided = [
  'state',
  'level',
  'ownerName',
  'validation',
  'disposition',
  'falseByName',
  'resolverName',
  'causeCode',
  'note',
  'shelvedUntil',
  'escalatedAt',
  'dispatchedAt',
  'onSiteAt',
] as const satisfies (keyof WarnRecordRow)[]

const words: Partial<Record<keyof WarnRecordRow, EnumKind>> = {
  state: 'recordState',
  level: 'level',
  validation: 'validation',
  disposition: 'disposition',
  causeCode: 'cause',
}

const extraLabels: Partial<Record<keyof WarnRecordRow, Record<Lang, string>>> = {
  falseByName: { 'zh-cn': '误报提出人', en: 'Marked false by' },
}

export type Change = { key: string; label: string; before: string; after: string }

const show = (key: (typeof decided)[number], record: WarnRecordRow, lang: Lang): string => {
  const value = record[key]
  if (value === null) return '–'
  if (value instanceof Date) return formatDateTime(value)
  const kind = words[key]
  return kind ? enumLabel(kind, value, lang) : String(value)
}

/** Differences between the record when a form was opened and the current record. */
export const diffRecords = (before: WarnRecordRow, after: WarnRecordRow, lang: Lang): Change[] =>
  decided
    .map((key) => ({
      key,
      label: extraLabels[key]?.[lang] ?? labelIn(lang, WarnRecordRow.shape[key]),
      before: show(key, before, lang),
      after: show(key, after, lang),
    }))
    .filter((change) => change.before !== change.after)
