import type { Endpoint } from '@tocsin/contract/endpoint'
import type { Lang } from '@tocsin/contract/field'
import type { z } from 'zod'
import type { Db } from '#db/db'
import { csvFile } from '#http/csv'
import type { FileAnswer } from '#http/route'
import { columnsIn, type SheetColumn } from '#sheet/column'
import type { Who } from './edit.ts'
import { recordSheet } from './reading.ts'

/** A short list that leaves as a sheet. */
type ShortList<R> = {
  endpoint: Endpoint & { query: z.ZodObject }
  /** The table, for the audit. */
  subject: string
  /** Of the file, in either language. */
  name: string
  nameEn: string
  columns: (lang: Lang) => readonly SheetColumn<R>[]
}

/** So many rows of it from the one at `offset` on, in the order of the list. */
type Read<R> = (page: { limit: number; offset: number }) => Promise<R[]>

const BATCH = 1000

async function* inBatches<R>(read: Read<R>) {
  for (let offset = 0; ; offset += BATCH) {
    const rows = await read({ limit: BATCH, offset })
    if (rows.length === 0) return
    yield rows
  }
}

/** The rows of a small table as a sheet, recorded; large tables go on after their last row instead. */
export const exportRows = async <R>(
  db: Db,
  { endpoint, subject, name, nameEn, columns }: ShortList<R>,
  { query, read }: { query: { lang?: Lang | undefined }; read: Read<R> },
  who: Who,
): Promise<FileAnswer> => {
  const { lang = 'zh-cn' } = query
  const file = await csvFile(lang === 'en' ? nameEn : name, columnsIn(lang, columns(lang)), inBatches(read))
  await recordSheet(db, who, { of: endpoint, subject, query })
  return file
}
