import { fieldErrors } from '@tocsin/contract/issue'
import { codes } from '@tocsin/contract/codes'
import { labelIn, type Lang } from '@tocsin/contract/field'
import {
  DEMO_IMPORT_ROWS,
  DEMO_KIND,
  type DemoImported,
  DemoItemDraft,
  type DemoItemNew,
  type DemoItemQuery,
  DemoItemRow,
  demoItems,
  demoSheetFields,
} from '@tocsin/contract/demo/item'
import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import type { Db } from '#db/db'
import { ValidationError, BusinessError } from '#http/business-error'
import type { FileResponse, Caller } from '#http/route'
import type { UploadedFile } from '#http/upload/uploaded-file'
import { type SheetColumn, sheetColumn } from '#spreadsheet/column'
import { readSpreadsheet } from '#spreadsheet/read-spreadsheet'
import { type SheetLine, UnreadableSpreadsheetError } from '#spreadsheet/sheet-line'
import { XLSX, createWorkbook } from '#spreadsheet/xlsx'
import { writeAudit } from '#areas/audit/audit'
import type { Exporter, ExportOptions, RowsQuery } from '#areas/audit/exporter'
import { insertItem, itemRows, type Joined, shownTo } from './item.ts'

type SheetField = (typeof demoSheetFields)[number]
const langs = ['zh-cn', 'en'] as const
/** The accepted headings of each column. */
const headsOf = (name: SheetField) => langs.map((lang) => labelIn(lang, DemoItemRow.shape[name]))
const words = { 'zh-cn': ['启用', '停用'], en: ['Enabled', 'Disabled'] } as const
const states = new Map<string, boolean>(
  langs.flatMap((lang) => words[lang].map((word, at) => [word, at === 0] as const)),
)

type Kind = { value: string; label: string; labelEn: string | null }
const kindsOf = async (db: Db): Promise<Kind[]> =>
  db
    .selectFrom('dictData')
    .select(['value', 'label', 'labelEn'])
    .where('dictType', '=', DEMO_KIND)
    .where('enabled', '=', true)
    .orderBy('sort')
    .execute()

const kindIn = (lang: Lang, { label, labelEn }: Kind) => (lang === 'en' && labelEn) || label

const columns: Exporter<DemoItemQuery, DemoItemRow>['columns'] = async (db, lang) => {
  const kinds = new Map((await kindsOf(db)).map((item) => [item.value, kindIn(lang, item)]))
  return [
    sheetColumn(DemoItemRow, 'name', { width: 24 }),
    sheetColumn(DemoItemRow, 'kind', { cell: (kind) => kinds.get(kind) ?? kind }),
    sheetColumn(DemoItemRow, 'tags', { width: 24, cell: (tags) => tags.join(' ') }),
    sheetColumn(DemoItemRow, 'url', { width: 30 }),
    sheetColumn(DemoItemRow, 'price', { cell: (fen) => fen / 100 }),
    sheetColumn(DemoItemRow, 'progress'),
    sheetColumn(DemoItemRow, 'sort'),
    sheetColumn(DemoItemRow, 'status', { cell: (enabled) => words[lang][enabled ? 0 : 1] }),
    sheetColumn(DemoItemRow, 'remark', { width: 30 }),
    sheetColumn(DemoItemRow, 'startAt'),
    sheetColumn(DemoItemRow, 'deptName', { width: 24 }),
    sheetColumn(DemoItemRow, 'createTime'),
  ] satisfies SheetColumn<DemoItemRow>[]
}

export const demoExport: Exporter<DemoItemQuery & ExportOptions, DemoItemRow, Joined> = {
  endpoints: demoItems,
  subject: 'demo_item',
  name: '示例数据',
  nameEn: 'Demo items',
  columns,
  rows: (db, actor, query) => itemRows(db, actor, query) as unknown as RowsQuery<Joined>,
  shown: ({ actor }, found) => found.map(shownTo(actor)),
}

export const itemTemplate = async (db: Db, lang: Lang = 'zh-cn'): Promise<FileResponse> => {
  const kinds = (await kindsOf(db)).map((item) => kindIn(lang, item))
  const [on, off] = words[lang]
  const at = (name: SheetField) => demoSheetFields.indexOf(name)
  const isEnglish = lang === 'en'
  const texts = isEnglish ? ['Example', 'new recommended'] : ['示例一', '新品 推荐']
  const sample = [texts[0], kinds[0], texts[1], 'https://example.com/', 12.5, 60, 1, on, '']
  const choices = new Map([
    [at('kind'), kinds],
    [at('status'), [on, off]],
  ])
  const heads = demoSheetFields.map((name) => labelIn(lang, DemoItemRow.shape[name]))
  const stream = await createWorkbook([{ name: isEnglish ? 'Items' : '示例', heads, rows: [sample], choices }])
  return { name: isEnglish ? 'Import of demo items.xlsx' : '示例导入模板.xlsx', type: XLSX, stream }
}

const numberIn = (text: string): unknown => (text === '' ? undefined : Number(text))

/** A line as an encoded draft; an empty cell is left out, and an invalid one is rejected by the draft. */
const draftIn = (cells: Record<SheetField, string>, kinds: readonly Kind[]) => {
  const { name, kind, tags, url, price, progress, sort, status, remark } = cells
  const fen = numberIn(price)
  const fields = {
    name,
    kind: kinds.find(({ value, label, labelEn }) => [value, label, labelEn].includes(kind))?.value ?? kind,
    tags: tags.split(/[\s,，;；]+/).filter(Boolean),
    url: url || null,
    price: typeof fen === 'number' ? Math.round(fen * 100) : undefined,
    progress: numberIn(progress),
    sort: numberIn(sort),
    status: status === '' ? undefined : (states.get(status) ?? status),
    remark: remark || null,
  }
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}

const ImportedDraft = DemoItemDraft.partial().required({ name: true, kind: true })
type Wrong = DemoImported['wrong'][number]

/** Parsed in this process, between alarms: a thousand lines are small enough. */
const MOST = 4 * 1024 * 1024
/** The headings, and one line more than is allowed. */
const bounds = { lines: DEMO_IMPORT_ROWS + 2, unpacked: MOST, kept: MOST }

const readLines = async (path: string): Promise<SheetLine[]> => {
  const lines: SheetLine[] = []
  try {
    for await (const line of readSpreadsheet(await readFile(path), bounds)) {
      lines.push(line)
      if (lines.length === bounds.lines) throw new BusinessError(codes.importTooMany, { max: DEMO_IMPORT_ROWS })
    }
  } catch (error) {
    if (error instanceof UnreadableSpreadsheetError) throw new BusinessError(codes.importUnreadable)
    throw error
  }
  return lines
}

const cellsBy = ([first, ...lines]: SheetLine[], file: string) => {
  if (!first || lines.length === 0) throw new BusinessError(codes.importEmpty)
  const missing = (['name', 'kind'] as const)
    .filter((name) => !headsOf(name).some((head) => first.cells.includes(head)))
    .map((name) => headsOf(name).join(' / '))
  if (missing.length > 0)
    throw new BusinessError(codes.importColumns, { columns: missing.join('、'), line: first.line, sheet: file })
  const place = demoSheetFields.map(
    (name) => [name, first.cells.findIndex((cell) => headsOf(name).includes(cell))] as const,
  )
  return lines.map(({ line, cells }) => ({
    line,
    // Every field of the list is present, which Object.fromEntries cannot express.
    cells: Object.fromEntries(place.map(([name, at]) => [name, cells[at] ?? ''])) as Record<SheetField, string>,
  }))
}

type Draft = { line: number; draft: DemoItemNew }

const judged = (rows: ReturnType<typeof cellsBy>, kinds: Awaited<ReturnType<typeof kindsOf>>) => {
  const drafts: Draft[] = []
  const wrong: Wrong[] = []
  for (const { line, cells } of rows) {
    const given = draftIn(cells, kinds)
    const result = z.safeDecode(ImportedDraft, given as never, { reportInput: true })
    if (result.success) drafts.push({ line, draft: result.data })
    else
      for (const { field, message } of fieldErrors(ImportedDraft, result.error.issues))
        wrong.push({ line, field, message })
  }
  return { drafts, wrong }
}

class AnyWrong extends Error {}

/** All lines in one transaction: a rejected one rolls the others back. */
const write = async (db: Db, drafts: readonly Draft[], caller: Caller): Promise<Wrong[]> => {
  const wrong: Wrong[] = []
  try {
    await db.transaction().execute(async (trx) => {
      for (const { line, draft } of drafts)
        try {
          await insertItem(trx, draft, caller)
        } catch (error) {
          if (!(error instanceof ValidationError)) throw error
          wrong.push(...error.errors.map(({ field, message }) => ({ line, field, message })))
        }
      if (wrong.length > 0) throw new AnyWrong()
    })
  } catch (error) {
    if (!(error instanceof AnyWrong)) throw error
  }
  return wrong
}

/** Adds the items of a spreadsheet to the own department, all or none. */
export const importItems = async (db: Db, { path, name }: UploadedFile, caller: Caller): Promise<DemoImported> => {
  const { drafts, wrong } = judged(cellsBy(await readLines(path), name), await kindsOf(db))
  const refused = wrong.length > 0 ? wrong : await write(db, drafts, caller)
  const created = refused.length > 0 ? 0 : drafts.length
  // Created rows have audit rows of their own; of an import without any this is the only trace.
  const after = { created, wrong: refused.length }
  await writeAudit(db, { ...caller, action: 'demo:item:import', subject: 'demo_item', after })
  return { created, wrong: refused }
}
