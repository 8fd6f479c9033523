import { type EnumLabels, labelIn, type Lang, lookupLabel } from '@tocsin/contract/field'
import type { z } from 'zod'
import type { Db } from '#db/db'
import type { Actor, FileResponse } from '#http/route'
import { localizeColumns, type SheetColumn } from '#spreadsheet/column'
import { createWorkbook, XLSX, xlsxStream } from '#spreadsheet/xlsx'
import { readLines } from './import-rows.ts'
import type { AnyImporter, ImportedLine } from './importer.ts'
import { getOwnImport } from './start.ts'

type Asked = { id: number; lang?: Lang | undefined }

const fieldsOf = ({ sheet }: AnyImporter) => Object.entries(sheet.shape) as [string, z.ZodType][]
const titleIn = (lang: Lang, { title, titleEn }: AnyImporter) => (lang === 'en' ? titleEn : title)

/** The columns of an import with sample rows, and beside them what may be chosen. */
export const templateSheet = async (
  db: Db,
  importer: AnyImporter,
  { actor, lang = 'zh-cn' }: { actor: Actor; lang?: Lang | undefined },
): Promise<FileResponse> => {
  const { samples, choices = {}, pages = [] } = await importer.template(db, actor, lang)
  const fields = fieldsOf(importer)
  const listed = fields.flatMap(([field], at) => {
    const words = choices[field]
    return words ? [[at, [...words]] as [number, string[]]] : []
  })
  const title = titleIn(lang, importer)
  const heads = fields.map(([, schema]) => labelIn(lang, schema))
  const stream = await createWorkbook([{ name: title, heads, rows: samples, choices: new Map(listed) }, ...pages])
  const name = lang === 'en' ? `Import of ${title.toLowerCase()}` : `${title}导入模板`
  return { name: `${name}.xlsx`, type: XLSX, stream }
}

const cellColumns = (importer: AnyImporter): SheetColumn<ImportedLine>[] =>
  fieldsOf(importer).map(([field, schema]) => ({
    title: labelIn('zh-cn', schema),
    titleEn: labelIn('en', schema),
    width: 18,
    cell: ({ cells }) => cells[field] ?? null,
  }))

const reasonColumn = (lang: Lang): SheetColumn<ImportedLine> => ({
  title: '错误原因',
  titleEn: 'Reason',
  width: 50,
  cell: ({ reasons }) =>
    lang === 'en'
      ? reasons.map(({ messageEn }) => messageEn).join('; ')
      : reasons.map(({ message }) => message).join('；'),
})

/** The bad rows under the headings of the template: corrected, the file can be sent again as it is. */
export const badRowsSheet = async (
  db: Db,
  importer: AnyImporter,
  { actor, id, lang = 'zh-cn' }: Asked & { actor: Actor },
): Promise<FileResponse> => {
  await getOwnImport(db, importer, actor, id)
  const columns = localizeColumns(lang, [...cellColumns(importer), reasonColumn(lang)])
  const [page, name] = lang === 'en' ? ['Bad rows', 'Import, bad rows'] : ['错误行', '导入错误行']
  return { name: `${name}.xlsx`, type: XLSX, stream: xlsxStream(page, columns, readLines(db, id, true)) }
}

const outcomes = {
  BAD: ['失败', 'Failed'],
  SAME: ['无变化', 'No change'],
  LEFT: ['未导入', 'Not imported'],
  CREATE: ['已新增', 'Created'],
  UPDATE: ['已更新', 'Updated'],
} as const satisfies EnumLabels<string>

const outcomeColumn = (lang: Lang): SheetColumn<ImportedLine> => ({
  title: '结果',
  titleEn: 'Outcome',
  width: 12,
  cell: ({ verdict, done }) =>
    lookupLabel(outcomes, verdict === 'BAD' || verdict === 'SAME' || done ? verdict : 'LEFT', lang),
})

async function* withLoaded(lines: AsyncIterable<ImportedLine[]>, load: (lines: ImportedLine[]) => Promise<void>) {
  for await (const batch of lines) {
    await load(batch)
    yield batch
  }
}

/** Every line with its outcome, and what else the importer tells about it. */
export const resultSheet = async (
  db: Db,
  importer: AnyImporter,
  { actor, id, lang = 'zh-cn' }: Asked & { actor: Actor },
): Promise<FileResponse> => {
  await getOwnImport(db, importer, actor, id)
  const more = importer.resultColumns?.(db, id)
  const columns = localizeColumns(lang, [
    outcomeColumn(lang),
    ...(more?.columns ?? []),
    ...cellColumns(importer),
    reasonColumn(lang),
  ])
  const lines = readLines(db, id)
  const name = lang === 'en' ? 'Result of the import' : '导入结果'
  const stream = xlsxStream(name, columns, more ? withLoaded(lines, more.load) : lines)
  return { name: `${name}.xlsx`, type: XLSX, stream }
}
