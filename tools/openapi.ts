import { endpoints } from '@tocsin/contract/all'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openapi } from '../apps/server/src/http/openapi.ts'
import { root } from './source-tree.ts'

export const openapiFile = join(root, 'docs/openapi.json')

/** Lists and objects that hold only words and numbers, a line each; no text holds a line break. */
const flat = /([[{])\n\s+([^[\]{}]*?)\n\s+([\]}])/g

/** The text of docs/openapi.json as it must be now. */
export const openapiText = (): string => {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
  const text = JSON.stringify(openapi(endpoints, version), null, 1)
  const lines = text.replace(
    flat,
    (_, open: string, held: string, end: string) => open + held.replace(/,\n\s+/g, ', ') + end,
  )
  // Programs read this file: indentation would be a third of it.
  return `${lines.replace(/^ +/gm, '')}\n`
}

if (import.meta.main) writeFileSync(openapiFile, openapiText())
