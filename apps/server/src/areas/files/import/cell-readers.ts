import type { Code, Params } from '@tocsin/contract/codes'
import { parseInstant } from '@tocsin/contract/codecs'
import { type EnumLabels, unwrap } from '@tocsin/contract/field'
import type { Rule } from '@tocsin/contract/issue'
import { foldName, normalizeCode } from '@tocsin/contract/text'
import { z } from 'zod'

/** The value of a cell as it travels in a call, or why it stands for nothing. */
export type CellResult = { value: unknown } | { code: Code; params?: Params } | { rule: Rule }
export type CellReader = (text: string) => CellResult

/** A number as people write it, with separators of thousands. */
export const readNumber: CellReader = (text) => {
  const plain = normalizeCode(text).replaceAll(/(?<=\d),(?=\d{3})|\s/g, '')
  return /^[+-]?(\d+\.?\d*|\.\d+)$/.test(plain) ? { value: Number(plain) } : { rule: 'format' }
}

const yes = new Set(['是', '有', '启用', '开启', '正常', '1', 'yes', 'y', 'true', 'enabled'])
const no = new Set(['否', '无', '停用', '关闭', '禁用', '0', 'no', 'n', 'false', 'disabled'])

export const readBoolean: CellReader = (text) => {
  const plain = foldName(text)
  if (yes.has(plain)) return { value: true }
  return no.has(plain) ? { value: false } : { rule: 'choice' }
}

/** A day such as 2026-3-1, 2026/03/01, 2026.3.1 or 2026年3月1日, as `yyyy-MM-dd`. */
export const readDay: CellReader = (text) => {
  const parts = /^(\d{4})[-/.年](\d{1,2})[-/.月](\d{1,2})日?(?:[ T]00:00(?::00)?)?$/.exec(normalizeCode(text))
  if (!parts) return { rule: 'format' }
  const [, year, month = '', day = ''] = parts
  return { value: `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}` }
}

/** An instant by the clock of the configured zone, as epoch milliseconds. */
export const readInstant: CellReader = (text) => {
  const day = readDay(text)
  const at = parseInstant('value' in day ? String(day.value) : normalizeCode(text).replaceAll('/', '-'))
  return at ? { value: at.getTime() } : { rule: 'format' }
}

/** The code of a word in either language; the code itself is taken too. */
export const createChoiceReader = (labels: EnumLabels<string>): CellReader => {
  const codesByWord = new Map(
    Object.entries(labels).flatMap(([code, words]) => [code, ...words].map((word) => [foldName(word), code] as const)),
  )
  return (text) => {
    const value = codesByWord.get(foldName(text))
    return value === undefined ? { rule: 'choice' } : { value }
  }
}

/** The id of a row that is named by its code or name; a name of several rows stands for none. */
export const createReferenceReader = (
  rows: readonly { id: number; names: readonly (string | null)[] }[],
  errors: { missing: Code; ambiguous: Code },
): CellReader => {
  const ids = Map.groupBy(
    rows.flatMap(({ id, names }) => names.flatMap((name) => (name ? [{ id, name: foldName(name) }] : []))),
    ({ name }) => name,
  )
  return (text) => {
    const found = [...new Set((ids.get(foldName(text)) ?? []).map(({ id }) => id))]
    if (found.length > 1) return { code: errors.ambiguous, params: { name: text } }
    return found.length === 1 ? { value: found[0] } : { code: errors.missing, params: { name: text } }
  }
}

type WireType = { type: string; format?: string; decoded?: string }

const typeOf = (schema: z.ZodType): WireType => {
  const { def } = schema as unknown as { def: { type: string; in?: z.ZodType; out?: z.ZodType; format?: string } }
  if (def.type === 'pipe' && def.in && def.out) return { ...typeOf(def.in), decoded: typeOf(def.out).type }
  const inner = unwrap(schema)
  if (inner) return typeOf(inner)
  return { type: def.type, ...(def.format && { format: def.format }) }
}

/** How a cell is read when its column states nothing else: by the types of the field on the wire and decoded. */
export const readerFor = (schema: z.ZodType): CellReader => {
  const { type, format, decoded } = typeOf(schema)
  if (decoded === 'date') return readInstant
  // Flags and states travel as numbers, of which the codec knows the meaning.
  if (decoded === 'boolean')
    return (text) => {
      const result = readBoolean(text)
      return 'value' in result ? { value: z.encode(schema, result.value) } : result
    }
  if (type === 'number') return readNumber
  if (type === 'boolean') return readBoolean
  return format === 'date' ? readDay : (text) => ({ value: text })
}
