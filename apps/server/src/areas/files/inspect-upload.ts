import type { FilePart } from '@tocsin/contract/endpoint'
import { issueText, type Rule } from '@tocsin/contract/issue'
import { type FileType, fileTypes, imageTypes } from '@tocsin/contract/files/file'
import { createReadStream } from 'node:fs'
import { ValidationError } from '#http/business-error'
import type { UploadedFile } from '#http/upload/uploaded-file'
import { countSigns, isDamagedUtf8 } from '#spreadsheet/decode-text'
import { XLSX } from '#spreadsheet/xlsx'
import { MAX_PIXELS_TEXT, reencodeImage } from './reencode-image.ts'

/** A file whose type was detected from its content. `image`: re-encoded by the server. */
export type InspectedFile = UploadedFile & { image: boolean }

/** The source: name and label of the form part, for the error. */
export type UploadPart = { field: string; part: FilePart }

const refusal = ({ field, part }: UploadPart, rule: Rule, bound?: string): ValidationError => {
  const label = { title: part.title, titleEn: part.titleEn }
  const error = { field, rule, label, ...(bound !== undefined && { bound }) }
  return new ValidationError([{ ...error, message: issueText(error, 'zh-cn') }])
}

const isType = (type: string): type is FileType => Object.hasOwn(fileTypes, type)
const endingsOf = (type: FileType): readonly string[] => fileTypes[type]
const endingOf = (name: string): string | undefined => /\.([A-Za-z0-9]{1,10})$/.exec(name)?.[1]?.toLowerCase()

const sameAs: Record<string, FileType> = {
  'image/apng': 'image/png',
  'image/heic-sequence': 'image/heic',
  'image/heif': 'image/heic',
  'image/heif-sequence': 'image/heic',
  'video/x-m4v': 'video/mp4',
}

/** Control characters that text never contains. */
const binary = (chunk: Buffer): boolean => chunk.some((byte) => byte < 9 || (byte > 13 && byte < 32 && byte !== 27))

/** Whether all bytes decode in this encoding. */
const decodes = async (path: string, encoding: string, isBytes = true): Promise<boolean> => {
  const decoder = new TextDecoder(encoding, { fatal: true })
  try {
    for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
      if (isBytes && binary(chunk)) return false
      decoder.decode(chunk, { stream: true })
    }
    decoder.decode()
    return true
  } catch {
    return false
  }
}

/** UTF-8, or the encodings in which spreadsheets are saved in China. */
const isText = async (path: string): Promise<boolean> => (await decodes(path, 'utf-8')) || decodes(path, 'gb18030')

const UTF16_MARKS = [Buffer.from([0xff, 0xfe]), Buffer.from([0xfe, 0xff])]

/** Whether it is UTF-16 with a byte order mark, which looks like the start of an audio file. */
const isUtf16 = async (path: string): Promise<boolean> => {
  const start = createReadStream(path, { end: 1 }) as AsyncIterable<Buffer>
  const first = Buffer.concat(await Array.fromAsync(start))
  if (!UTF16_MARKS.some((mark) => mark.equals(first))) return false
  return decodes(path, first[0] === 0xff ? 'utf-16le' : 'utf-16be', false)
}

/** UTF-8 with some damaged bytes, so that an import can name the damaged line. */
const isDamagedText = async (path: string): Promise<boolean> => {
  const decoder = new TextDecoder()
  const signs = { valid: 0, broken: 0 }
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    if (binary(chunk)) return false
    countSigns(decoder.decode(chunk, { stream: true }), signs)
  }
  countSigns(decoder.decode(), signs)
  return isDamagedUtf8(signs)
}

const typeOf = async ({ path, name }: UploadedFile, as: Use): Promise<FileType | undefined> => {
  const ending = endingOf(name)
  const isNamedText = ending !== undefined && endingsOf('text/plain').includes(ending)
  if (as === 'sheet' && isNamedText && (await isUtf16(path))) return 'text/plain'
  // Loaded with the first file, so that it does not slow the start down.
  const { fileTypeFromFile } = await import('file-type')
  const found = (await fileTypeFromFile(path))?.mime.split(';')[0] ?? ''
  const type = sameAs[found] ?? found
  if (isType(type)) return type
  // Text has no signature; its name gives its type, and it is only ever downloaded.
  if (found !== '' || !isNamedText) return undefined
  if ((await isText(path)) || (as === 'sheet' && (await isDamagedText(path)))) return 'text/plain'
  return undefined
}

const textOf = (types: readonly FileType[]): string => types.flatMap((type) => endingsOf(type)).join(' ')

/** The purpose of a file: any file, an avatar picture, or a spreadsheet to import. */
type Use = 'any' | 'avatar' | 'sheet'

const takenFor: Record<Use, readonly FileType[]> = {
  any: Object.keys(fileTypes) as FileType[],
  avatar: imageTypes,
  // Both workbook formats, and text.
  sheet: [XLSX, 'application/x-cfb', 'text/plain'],
}
/** Pictures of phones and paint programs that are not accepted, by the name that people know. */
const unsupportedPictures: Record<string, string> = {
  'image/tiff': 'TIFF',
}

const findUnsupportedPicture = async (path: string): Promise<string | undefined> => {
  const { fileTypeFromFile } = await import('file-type')
  return unsupportedPictures[(await fileTypeFromFile(path))?.mime ?? '']
}

/** These types have other extensions too, which no spreadsheet has. */
const SHEETS = 'xlsx xls csv txt'

/** For a file that claims to be a picture and is none, listing the allowed types would not help. */
const unfit = async (of: UploadPart, { name, path }: UploadedFile, as: Use): Promise<ValidationError> => {
  if (as === 'sheet') return refusal(of, 'fileType', SHEETS)
  const kind = await findUnsupportedPicture(path)
  if (kind) return refusal(of, 'pictureKind', kind)
  const pictures: readonly string[] = imageTypes.flatMap((type) => endingsOf(type))
  return pictures.includes(endingOf(name) ?? '')
    ? refusal(of, 'picture')
    : refusal(of, 'fileType', textOf(takenFor[as]))
}

const renamed = (name: string, type: FileType): string => {
  const ending = endingOf(name)
  if (ending && endingsOf(type).includes(ending)) return name
  const base = ending ? name.slice(0, -ending.length - 1) : name
  return `${base || 'image'}.${endingsOf(type)[0]}`
}

const asImage = async (file: UploadedFile, of: UploadPart, as: 'picture' | 'avatar'): Promise<InspectedFile> => {
  const made = await reencodeImage(file.path, as)
  if (made === 'tooBig') throw refusal(of, 'tooBig', MAX_PIXELS_TEXT)
  if (made === 'format') throw refusal(of, 'format')
  return { ...made, name: renamed(file.name, made.type), image: true }
}

/**
 * Inspects uploaded bytes: the type must be known and match the name; pictures are re-encoded. Throws ValidationError.
 */
export const inspectUpload = async (file: UploadedFile, of: UploadPart, as: Use = 'any'): Promise<InspectedFile> => {
  const type = await typeOf(file, as)
  if (!type || !takenFor[as].includes(type)) throw await unfit(of, file, as)
  if ((imageTypes as readonly FileType[]).includes(type))
    return asImage(file, of, as === 'avatar' ? 'avatar' : 'picture')
  const ending = endingOf(file.name)
  if (ending && !endingsOf(type).includes(ending)) throw await unfit(of, file, as)
  return { ...file, name: renamed(file.name, type), type, image: false }
}
