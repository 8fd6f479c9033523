import { endpoints } from '@tocsin/contract/all'
import type { Endpoint } from '@tocsin/contract/endpoint'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openapi } from '../apps/server/src/http/openapi.ts'
import { root } from './source-tree.ts'

export const openapiFolder = join(root, 'docs/openapi')

/** Lists and objects of plain values, one line each; no text contains a line break. */
const flat = /([[{])\n\s+([^[\]{}]*?)\n\s+([\]}])/g

/** Returns one OpenAPI document of the given calls as text. */
export const printOpenapi = (calls: readonly Endpoint[]): string => {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
  const text = JSON.stringify(openapi(calls, version), null, 1)
  const lines = text.replace(
    flat,
    (_, open: string, held: string, end: string) => open + held.replace(/,\n\s+/g, ', ') + end,
  )
  // Programs read these files: indentation would be a third of them.
  return `${lines.replace(/^ +/gm, '')}\n`
}

/** Returns the text of each file of docs/openapi: one document for each first part of a path. */
export const openapiFiles = (): Record<string, string> => {
  const areas = Object.groupBy(endpoints, ({ path }) => path.split('/')[1] ?? '')
  return Object.fromEntries(Object.entries(areas).map(([area, calls = []]) => [`${area}.json`, printOpenapi(calls)]))
}

if (import.meta.main) {
  rmSync(openapiFolder, { recursive: true, force: true })
  mkdirSync(openapiFolder, { recursive: true })
  for (const [name, text] of Object.entries(openapiFiles())) writeFileSync(join(openapiFolder, name), text)
}
