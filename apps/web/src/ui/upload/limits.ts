import { codes } from '@tocsin/contract/codes'
import type { Endpoint } from '@tocsin/contract/endpoint'
import { issueText, type Rule } from '@tocsin/contract/issue'
import { acceptAttribute, type FileType, fileTypes, sizeText } from '@tocsin/contract/files/file'
import { ApiError } from '#api/error.ts'

/** The limits of an upload field: at most `count` files in all, of these types. */
export type UploadLimits = { types: readonly FileType[]; bytes: number; count: number }

const label = { title: '文件', titleEn: 'File' }

const fileError = (rule: Rule, bound?: string): ApiError => {
  const error = { field: 'file', rule, label, ...(bound !== undefined && { bound }) }
  const message = issueText(error, 'zh-cn')
  return new ApiError({ code: codes.invalid.code, msg: message, errors: [{ ...error, message }] })
}

const endings = (types: readonly FileType[]): readonly string[] => types.flatMap((type) => [...fileTypes[type]])

/** Why the server would reject the file, known without sending it; only the server inspects the content. */
export const checkFile = (file: File, { types, bytes }: UploadLimits): ApiError | undefined => {
  const ending = /\.(\w+)$/.exec(file.name)?.[1]?.toLowerCase() ?? ''
  if (!endings(types).includes(ending)) return fileError('fileType', endings(types).join(' '))
  if (file.size === 0) return fileError('empty')
  return file.size > bytes ? fileError('tooBig', sizeText(bytes)) : undefined
}

export const acceptFor = ({ types }: UploadLimits): string => acceptAttribute(types)

/** The limits of an upload's file part, narrowed for the field. */
export const uploadLimits = (e: Endpoint, types: readonly FileType[], count = 1, bytes?: number): UploadLimits => {
  const [part] = Object.values(e.files ?? {})
  return { types, count, bytes: Math.min(bytes ?? Infinity, part?.bytes ?? 0) }
}
