import { z } from 'zod'
import { Id } from './codecs.ts'
import { endpoint, type VisibilityKind } from './endpoint.ts'
import { field } from './field.ts'

export const exportFormats = ['xlsx', 'csv'] as const
export type ExportFormat = (typeof exportFormats)[number]

/** The language of headings and labels in a file; Chinese by default, like the wire. */
export const exportLanguage = { lang: field(z.enum(['zh-cn', 'en']).optional(), '语言', 'Language') }

/** What an export call accepts beside its list's query. */
export const exportOptions = {
  format: field(z.enum(exportFormats).optional(), '格式', 'Format'),
  ...exportLanguage,
}

/** Rows of an immediate export; more are written in the background. */
export const EXPORT_ROWS = 50_000

type Exported<Q extends z.ZodObject> = {
  permission: string
  scope: VisibilityKind
  /** `/system/user` gives `/system/user/export`. */
  path: `/${string}`
  also?: readonly { path: `/${string}` }[]
  title: string
  titleEn: string
  /** Query of the list; page number and size are ignored. */
  query: Q
}

/** The two export calls of a list. */
export const exportEndpoints = <Q extends z.ZodObject>({
  path,
  also = [],
  title,
  titleEn,
  query,
  ...call
}: Exported<Q>) => {
  const item = query.extend(exportOptions)
  return {
    export: endpoint({
      ...call,
      kind: 'file',
      method: 'GET',
      path: `${path}/export`,
      also: [{ path: `${path}/export-excel` }, ...also],
      summary: `导出${title}`,
      summaryEn: `${titleEn} as a sheet, at most ${EXPORT_ROWS} rows`,
      query: item,
      data: z.null(),
    }),
    exportLater: endpoint({
      ...call,
      kind: 'json',
      method: 'POST',
      path: `${path}/export-later`,
      summary: `后台导出${title}`,
      summaryEn: `${titleEn} as a sheet of any length, written in the background: answers the job`,
      query: item,
      data: Id,
    }),
  }
}
