import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'

/** A file as a handler receives it. `name` and `type` are the sender's claims; `path` is removed when the call ends. */
export type UploadedFile = { name: string; type: string; size: number; path: string }

const LONGEST_NAME = 200

/** Characters that would end a header, hide an extension or lead into another folder. */
const unfit = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}/\\:*?"<>|]/gu

/** A name to show and to save under: data only, never part of a path here. */
export const sanitizeFileName = (given: string): string => {
  const base = given.split(/[/\\]/).at(-1) ?? ''
  const name = base
    .toWellFormed()
    .normalize('NFC')
    .replace(unfit, '')
    .replace(/^[.\s]+|[.\s]+$/g, '')
  const letters = [...name]
  if (letters.length <= LONGEST_NAME) return name || 'file'
  const ending = /\.\w{1,10}$/.exec(name)?.[0] ?? ''
  return letters.slice(0, LONGEST_NAME - ending.length).join('') + ending
}

export class FileTooLargeError extends Error {}

const counted = (limit: number) => {
  let bytes = 0
  const stream = new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      bytes += chunk.length
      done(bytes > limit ? new FileTooLargeError() : null, chunk)
    },
  })
  return { stream, size: () => bytes }
}

/** The folder of one call, created with its first file. */
export const createTempDir = (root: string) => {
  let folder: Promise<string> | undefined
  return {
    /** Streams to the disk, never whole in memory. Throws FileTooLargeError beyond `limit` bytes. */
    write: async (from: Readable, limit: number): Promise<{ path: string; size: number }> => {
      folder ??= mkdtemp(join(root, 'upload-'))
      const path = join(await folder, randomUUID())
      const { stream, size } = counted(limit)
      await pipeline(from, stream, createWriteStream(path, { flags: 'wx', mode: 0o600 }))
      return { path, size: size() }
    },
    discard: async (): Promise<void> => {
      const made = await folder?.catch(() => undefined)
      if (made) await rm(made, { recursive: true, force: true })
    },
  }
}
export type TempDir = ReturnType<typeof createTempDir>
