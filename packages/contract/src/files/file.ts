import { z } from 'zod'
import { Id, Millis, queryDate, queryInt, queryList } from '../codecs.ts'
import { endpoint, type FilePart } from '../endpoint.ts'
import { field } from '../field.ts'
import { ById, PageQuery, page, sortable } from '../page.ts'

/**
 * The purpose of a file. DRAFT: uploaded by a form, kept while a row refers to it. LIBRARY: uploaded by the file
 * screen, kept until it is deleted. AVATAR: a user's picture. IMPORT, EXPORT: expire.
 */
export const filePurposes = ['DRAFT', 'LIBRARY', 'AVATAR', 'IMPORT', 'EXPORT'] as const
export type FilePurpose = (typeof filePurposes)[number]

const MB = 1024 * 1024
export const FILE_BYTES = 50 * MB
export const IMAGE_BYTES = 10 * MB
export const AVATAR_BYTES = 5 * MB

/** Accepted types with their file extensions; the content decides, not the name. */
export const fileTypes = {
  'image/png': ['png'],
  'image/jpeg': ['jpg', 'jpeg'],
  'image/webp': ['webp'],
  'image/gif': ['gif'],
  'image/avif': ['avif'],
  'image/bmp': ['bmp'],
  'image/heic': ['heic', 'heif'],
  'application/pdf': ['pdf'],
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': ['docx'],
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': ['xlsx'],
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': ['pptx'],
  /** Also the files of WPS Office. */
  'application/x-cfb': ['doc', 'xls', 'ppt', 'wps', 'et', 'dps'],
  /** Also OFD, the document format of GB/T 33190. */
  'application/zip': ['zip', 'ofd'],
  'audio/mpeg': ['mp3'],
  'audio/wav': ['wav'],
  'audio/ogg': ['ogg', 'oga'],
  'video/mp4': ['mp4', 'm4v'],
  'video/webm': ['webm'],
  'text/plain': ['txt', 'csv', 'md', 'log', 'json'],
} as const satisfies Record<string, readonly string[]>
export type FileType = keyof typeof fileTypes

export const imageTypes = [
  'image/png',
  'image/jpeg',
  'image/webp',
  'image/gif',
  'image/avif',
  'image/bmp',
  'image/heic',
] as const satisfies FileType[]

/** The extensions of these types, as the `accept` of a file input. */
export const acceptAttribute = (types: readonly FileType[]): string =>
  types.flatMap((type) => fileTypes[type].map((ending) => `.${ending}`)).join(',')
export const acceptAny = acceptAttribute(Object.keys(fileTypes) as FileType[])

/** A readable size: `512 KB`, `4.5 MB`. */
export const sizeText = (bytes: number): string => {
  if (bytes < 1024) return `${bytes} B`
  const [value, unit] = bytes < MB ? [bytes / 1024, 'KB'] : [bytes / MB, 'MB']
  return `${value < 10 ? Math.round(value * 10) / 10 : Math.round(value)} ${unit}`
}

const filePart: FilePart = { title: '文件', titleEn: 'File', bytes: FILE_BYTES }
export const avatarPart: FilePart = { title: '头像', titleEn: 'Picture', bytes: AVATAR_BYTES }

const id = field(Id, '文件编号', 'File id')
const name = field(z.string(), '文件名', 'Name')
const type = field(z.string(), '类型', 'Type')
const size = field(z.int(), '大小', 'Size')
/** A link valid for its reader for ten minutes. */
const url = field(z.string(), '链接', 'Link')

/** The response of an upload. `name` has the extension of the detected type. */
export const StoredFileInfo = z.strictObject({ id, url, name, size, type })
export type StoredFileInfo = z.output<typeof StoredFileInfo>

export const FileRow = StoredFileInfo.extend({
  /** Null for users who may know of the file but not read it: imports and exports belong to their owner alone. */
  url: field(z.string().nullable(), '链接', 'Link'),
  purpose: field(z.enum(filePurposes), '用途', 'Purpose'),
  ownerId: field(Id, '上传人编号', 'Owner id'),
  ownerName: field(z.string(), '上传人', 'Owner'),
  /** A row refers to it: it cannot be deleted. */
  used: field(z.boolean(), '使用中', 'In use'),
  createdAt: field(Millis, '上传时间', 'Uploaded'),
  expiresAt: field(Millis.nullable(), '到期时间', 'Expires'),
})
export type FileRow = z.output<typeof FileRow>

export const fileGroups = ['IMAGE', 'DOCUMENT', 'MEDIA', 'OTHER'] as const
export type FileGroup = (typeof fileGroups)[number]

export const FileQuery = PageQuery.extend({
  name: field(z.string().max(100).optional(), '文件名', 'Name'),
  ownerName: field(z.string().max(30).optional(), '上传人', 'Owner'),
  group: field(queryList(fileGroups).optional(), '类型', 'Type'),
  purpose: field(queryList(filePurposes).optional(), '用途', 'Purpose'),
  from: field(queryDate.optional(), '开始时间', 'From'),
  to: field(queryDate.optional(), '结束时间', 'To'),
  orderBy: sortable(['name', 'size', 'ownerName', 'createdAt']),
})
export type FileQuery = z.output<typeof FileQuery>

const FileLink = z.strictObject({
  e: field(queryInt(0), '有效期', 'Expiry'),
  u: field(queryInt(0), '用户', 'User'),
  s: field(z.string().max(100), '签名', 'Signature'),
})
export type FileLink = z.output<typeof FileLink>

const file = (verb: string) => ({ permission: `infra:file:${verb}`, scope: 'dept' }) as const

export const files = {
  page: endpoint({
    ...file('query'),
    kind: 'json',
    method: 'GET',
    path: '/infra/file/page',
    summary: '文件分页',
    summaryEn: 'Files, by page, newest first',
    query: FileQuery,
    data: page(FileRow),
  }),
  get: endpoint({
    ...file('query'),
    kind: 'json',
    method: 'GET',
    path: '/infra/file/get',
    summary: '文件详情',
    summaryEn: 'One file with a fresh link',
    query: ById,
    data: FileRow,
  }),
  create: endpoint({
    ...file('create'),
    kind: 'upload',
    method: 'POST',
    path: '/infra/file/create',
    summary: '上传到文件库',
    summaryEn: 'Upload into the library, kept until it is deleted',
    files: { file: filePart },
    data: StoredFileInfo,
  }),
  delete: endpoint({
    ...file('delete'),
    kind: 'json',
    method: 'DELETE',
    path: '/infra/file/delete',
    summary: '删除文件',
    summaryEn: 'Delete a file that nothing refers to',
    query: ById,
    data: z.literal(true),
  }),
  upload: endpoint({
    kind: 'upload',
    permission: 'token',
    scope: 'self',
    method: 'POST',
    path: '/infra/file/upload',
    also: [{ path: '/api/v1/files' }],
    summary: '上传文件',
    summaryEn: 'Upload a file for a form; removed after 24 h unless something refers to it',
    files: { file: filePart },
    data: StoredFileInfo,
  }),
  deleteOwn: endpoint({
    kind: 'json',
    permission: 'token',
    scope: 'self',
    method: 'DELETE',
    path: '/api/v1/files',
    summary: '删除自己上传的文件',
    summaryEn: 'Delete what one uploaded for a form, by the address that the upload answered',
    query: z.strictObject({ filePath: field(z.string().min(1).max(500), '文件地址', 'Address') }),
    data: z.null(),
  }),
  link: endpoint({
    kind: 'file',
    permission: 'open',
    scope: 'self',
    method: 'GET',
    path: '/infra/file/:id',
    summary: '读取文件',
    summaryEn: 'The file of a link; the signature stands for the person it was made for',
    params: z.strictObject({ id: field(queryInt(1), '文件编号', 'File id') }),
    query: FileLink,
    data: z.null(),
  }),
}
