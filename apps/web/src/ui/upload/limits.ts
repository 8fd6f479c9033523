import { codes } from '@tocsin/contract/codes'
import type { Endpoint } from '@tocsin/contract/endpoint'
import { issueText, type Rule } from '@tocsin/contract/issue'
import { acceptOf, type FileType, fileTypes, sizeText } from '@tocsin/contract/system/file'
import { ApiError } from '#api/error.ts'

/** What a place takes: at most `count` files in all, of these types. */
export type Limits = { types: readonly FileType[]; bytes: number; count: number }

const label = { title: '文件', titleEn: 'File' }

const refused = (rule: Rule, bound?: string): ApiError => {
  const error = { field: 'file', rule, label, ...(bound !== undefined && { bound }) }
  const message = issueText(error, 'zh-cn')
  return new ApiError({ code: codes.invalid.code, msg: message, errors: [{ ...error, message }] })
}

const endings = (types: readonly FileType[]): readonly string[] => types.flatMap((type) => [...fileTypes[type]])

/** Why the server would refuse the file, told without sending it; what the bytes say is told by the server alone. */
export const refusalOf = (file: File, { types, bytes }: Limits): ApiError | undefined => {
  const ending = /\.(\w+)$/.exec(file.name)?.[1]?.toLowerCase() ?? ''
  if (!endings(types).includes(ending)) return refused('fileType', endings(types).join(' '))
  if (file.size === 0) return refused('empty')
  return file.size > bytes ? refused('tooBig', sizeText(bytes)) : undefined
}

export const accept = ({ types }: Limits): string => acceptOf(types)

/** The limits of an upload's file part, narrowed to what the place is for. */
export const limitsOf = (e: Endpoint, types: readonly FileType[], count = 1, bytes?: number): Limits => {
  const [part] = Object.values(e.files ?? {})
  return { types, count, bytes: Math.min(bytes ?? Infinity, part?.bytes ?? 0) }
}
