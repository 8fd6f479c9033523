import type { Multipart, MultipartFile } from '@fastify/multipart'
import { codes } from '@tocsin/contract/codes'
import type { Endpoint, FilePart } from '@tocsin/contract/endpoint'
import { issueText, type Rule } from '@tocsin/contract/issue'
import { sizeText } from '@tocsin/contract/files/file'
import type { FastifyRequest } from 'fastify'
import {
  sanitizeFileName,
  type TempDir,
  createTempDir,
  FileTooLargeError,
  type UploadedFile,
} from '#http/upload/uploaded-file'
import { ValidationError, BusinessError } from '#http/business-error'

/** Concurrent file uploads of one node; each takes disk until its call ends. */
const AT_ONCE = 32
const FIELD_BYTES = 10_000
const FIELDS = 50

type Parts = Readonly<Record<string, FilePart>>
type Taken = { fields: Map<string, string | string[]>; files: Map<string, UploadedFile[]> }

const refused = (field: string, rule: Rule, part?: FilePart, bound?: number | string): ValidationError => {
  const label = part && { title: part.title, titleEn: part.titleEn }
  const error = { field, rule, ...(bound !== undefined && { bound }), ...(label && { label }) }
  return new ValidationError([{ ...error, message: issueText(error, 'zh-cn') }])
}

const takeFile = async (part: MultipartFile, parts: Parts, taken: Taken, into: TempDir): Promise<void> => {
  const wanted = Object.hasOwn(parts, part.fieldname) ? parts[part.fieldname] : undefined
  if (!wanted) throw refused(part.fieldname, 'unknown')
  const { count = 1, bytes } = wanted
  const before = taken.files.get(part.fieldname) ?? []
  if (before.length >= count) throw refused(part.fieldname, 'tooMany', wanted, count)
  const file = await into.write(part.file, bytes).catch((error: unknown) => {
    throw error instanceof FileTooLargeError ? refused(part.fieldname, 'tooBig', wanted, sizeText(bytes)) : error
  })
  // An empty file input sends a part without a name and content.
  if (file.size === 0) throw refused(part.fieldname, 'empty', wanted)
  before.push({ name: sanitizeFileName(part.filename), type: part.mimetype, ...file })
  taken.files.set(part.fieldname, before)
}

const takeField = ({ fieldname, value, valueTruncated }: Exclude<Multipart, MultipartFile>, { fields }: Taken) => {
  if (valueTruncated) throw refused(fieldname, 'tooLong', undefined, FIELD_BYTES)
  // Fields are text. A part sent as JSON is parsed by the reader and checked by the schema.
  const text = value as string
  const before = fields.get(fieldname)
  fields.set(fieldname, before === undefined ? text : [...(Array.isArray(before) ? before : [before]), text])
}

/**
 * Names that every object has. The reader of multipart rejects them without naming them, so they are checked before.
 */
const listenFor = () => {
  const received: { foreign?: string } = {}
  const isPartAFile = (name = '', type?: string, fileName?: string): boolean => {
    if (name in Object.prototype) received.foreign ??= name
    return type === 'application/octet-stream' || fileName !== undefined
  }
  return { heard: received, isPartAFile }
}

const take = async (request: FastifyRequest, parts: Parts, into: TempDir): Promise<Taken> => {
  const taken: Taken = { fields: new Map(), files: new Map() }
  const most = Object.values(parts).reduce((sum, { count = 1 }) => sum + count, 0)
  const limits = {
    files: most + 1,
    parts: most + 1 + FIELDS,
    fields: FIELDS,
    fieldSize: FIELD_BYTES,
    fileSize: Infinity,
  }
  const { heard, isPartAFile } = listenFor()
  try {
    for await (const part of request.parts({ limits, isPartAFile }))
      if (part.type === 'file') await takeFile(part, parts, taken, into)
      else takeField(part, taken)
  } catch (error) {
    throw heard.foreign === undefined ? error : refused(heard.foreign, 'unknown')
  }
  for (const [name, part] of Object.entries(parts)) if (!taken.files.has(name)) throw refused(name, 'required', part)
  return taken
}

/** Rejects what no response could accept before it is read. */
const checkLength = (request: FastifyRequest, parts: Parts) => {
  const largest = Object.entries(parts).toSorted(([, a], [, b]) => b.bytes - a.bytes)[0]
  if (!largest) return
  const [name, part] = largest
  const room = Object.values(parts).reduce((sum, { bytes, count = 1 }) => sum + bytes * count, FIELDS * FIELD_BYTES)
  if (Number(request.headers['content-length'] ?? 0) > room) throw refused(name, 'tooBig', part, sizeText(part.bytes))
}

/** The reader's messages about a boundary that is missing, too long or never closed. */
const unreadable = (error: unknown) =>
  error instanceof Error && /^(Multipart: |Unexpected end of |The needle )/.test(error.message)

let underWay = 0

export type MultipartBody = { body: unknown; files: Record<string, UploadedFile[]>; discard: () => Promise<void> }

const plain = (request: FastifyRequest): MultipartBody => ({
  body: request.body,
  files: {},
  discard: async () => undefined,
})

/**
 * Reads the body of a permitted multipart call: fields, and files into a folder under `root` that `discard` removes.
 * Throws ValidationError naming the part. Nothing is left after an error or an aborted upload.
 */
export const readMultipart = async (e: Endpoint, request: FastifyRequest, root: string): Promise<MultipartBody> => {
  const parts = e.files ?? {}
  const multipart = request.isMultipart() && (e.kind === 'form' || e.kind === 'upload')
  if (e.kind === 'upload' && !multipart) throw refused(Object.keys(parts)[0] ?? '', 'required', Object.values(parts)[0])
  if (!multipart) return plain(request)
  // A form has no files. Unauthenticated clients may send forms and must not take the slots of uploads.
  const place = e.kind === 'upload' ? 1 : 0
  if (underWay + place > AT_ONCE) throw new BusinessError(codes.tooMany)
  const into = createTempDir(root)
  underWay += place
  const discard = async () => {
    underWay -= place
    await into.discard()
  }
  try {
    checkLength(request, parts)
    const { fields, files } = await take(request, parts, into)
    return { body: Object.fromEntries(fields), files: Object.fromEntries(files), discard }
  } catch (error) {
    // Reads and discards the rest, so that the response reaches a sender that is still sending.
    request.raw.unpipe()
    request.raw.resume()
    await discard()
    throw unreadable(error) ? new BusinessError(codes.invalid) : error
  }
}
