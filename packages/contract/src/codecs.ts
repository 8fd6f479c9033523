import { z } from 'zod'
import { localStamp, momentsOf, offsetMs } from './time-zone.ts'

/** An instant: epoch milliseconds on the wire, a Date on both sides. */
export const Millis = z.codec(z.int(), z.date(), {
  decode: (ms) => new Date(ms),
  encode: (date) => date.getTime(),
})

/** A calendar day, `yyyy-MM-dd`. */
export const Day = z.iso.date()

const localText = /^(\d{4})-(\d\d)-(\d\d)(?:[ T](\d\d):(\d\d)(?::(\d\d))?)?$/
/** As `localStamp` prints a time that a clock change repeats. */
const stampWithOffset = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d) ([+-]\d\d:\d\d)$/

/**
 * Reads epoch milliseconds, ISO 8601 with offset, or `yyyy-MM-dd[ HH:mm[:ss]]` in the configured zone.
 * @param passing Which moment is meant in the hour that a clock change repeats.
 * @returns undefined for anything else, including days that do not exist.
 */
export const parseInstant = (given: string, passing: 'first' | 'last' = 'first'): Date | undefined => {
  const text = given.replace(stampWithOffset, '$1T$2$3')
  if (/^-?\d{1,15}$/.test(text)) return new Date(Number(text))
  const local = localText.exec(text)
  if (local) {
    const [y = 0, mo = 0, d = 0, h = 0, mi = 0, s = 0] = local.slice(1).map((part) => Number(part ?? 0))
    const utc = Date.UTC(y, mo - 1, d, h, mi, s)
    const check = new Date(utc)
    if (check.getUTCMonth() !== mo - 1 || check.getUTCDate() !== d || h > 23 || mi > 59 || s > 59) return undefined
    return new Date(momentsOf(utc).at(passing === 'first' ? 0 : -1) ?? utc - offsetMs(utc - offsetMs(utc)))
  }
  if (!z.iso.datetime({ offset: true }).safeParse(text).success) return undefined
  const date = new Date(text)
  return Number.isNaN(date.getTime()) ? undefined : date
}

const YEAR_1900 = Date.UTC(1900, 0, 1)
const YEAR_2200 = Date.UTC(2200, 0, 1)

const parseQueryDate = (text: string, passing: 'first' | 'last'): Date | undefined => {
  const date = parseInstant(text, passing)
  return date && date.getTime() >= YEAR_1900 && date.getTime() < YEAR_2200 ? date : undefined
}

export const queryDate = z.codec(z.string().max(40), z.date(), {
  decode: (text, ctx) => {
    const date = parseQueryDate(text, 'first')
    if (date) return date
    ctx.issues.push({ code: 'invalid_format', format: 'datetime', input: text })
    return z.NEVER
  },
  encode: (date) => String(date.getTime()),
})

/** From the start of a second to its last millisecond. */
const REST_OF_SECOND = 999

const bareDay = /^\d{4}-\d\d-\d\d$/

/** The end of a range. A plain day means its last moment, and a text with seconds the last moment of that second. */
const queryEnd = z.codec(z.string().max(40), z.date(), {
  decode: (given, ctx) => {
    const text = bareDay.test(given) ? `${given} 23:59:59` : given
    const date = parseQueryDate(text, 'last')
    if (date) return /\d:\d\d:\d\d$/.test(text) ? new Date(date.getTime() + REST_OF_SECOND) : date
    ctx.issues.push({ code: 'invalid_format', format: 'datetime', input: given })
    return z.NEVER
  },
  encode: (date) => String(date.getTime()),
})

/** From and to of a time filter, `createTime[0]=…&createTime[1]=…`; a range that ends before it starts is invalid. */
export const queryRange = z.tuple([queryDate, queryEnd]).check((ctx) => {
  const [from, to] = ctx.value
  if (from <= to) return
  ctx.issues.push({ code: 'custom', input: ctx.value, params: { rule: 'tooBig', bound: localStamp(to) } })
})

export const queryInt = (min = 1, max = Number.MAX_SAFE_INTEGER) =>
  z.codec(z.string().regex(/^-?\d{1,16}$/), z.int().min(min).max(max), { decode: Number, encode: String })

/** A number with its point and exponent as JavaScript prints them. */
export const queryNumber = (min = -Number.MAX_VALUE, max = Number.MAX_VALUE) =>
  z.codec(z.string().regex(/^-?\d{1,22}(\.\d{1,20})?(e[+-]?\d{1,3})?$/), z.number().min(min).max(max), {
    decode: Number,
    encode: String,
  })

/** Clients write booleans in both forms. */
export const queryBool = z.codec(z.enum(['true', 'false', '1', '0']), z.boolean(), {
  decode: (text) => text === 'true' || text === '1',
  encode: (flag) => (flag ? 'true' : 'false'),
})

const Listed = z.union([z.string().max(1000), z.array(z.string().max(100)).max(20)])
const entriesOf = (given: z.output<typeof Listed>): string[] =>
  (Array.isArray(given) ? given : given.split(',')).filter(Boolean)

/** A list of enum values, repeated or comma-separated: `state=NEW,CLAIMED`. */
export const queryList = <const T extends readonly [string, ...string[]]>(words: T) =>
  z.codec(Listed, z.array(z.enum(words)).max(40), {
    decode: (given) => entriesOf(given) as T[number][],
    encode: (list) => list.join(','),
  })

/** The same for any texts without commas. */
export const queryTexts = (length: number) =>
  z.codec(Listed, z.array(z.string().min(1).max(length)).max(20), {
    decode: entriesOf,
    encode: (list) => list.join(','),
  })

/** `1,2,3` in an address or a query, or repeated like other lists (wire 11.19); each once. */
export const queryIdsUpTo = (most: number) => {
  const text = z.string().regex(new RegExp(`^\\d{1,15}(,\\d{1,15}){0,${most - 1}}$`))
  const result = z.string().regex(/^\d{1,15}$/)
  return z.codec(z.union([text, z.array(result).min(1).max(most)]), z.array(z.int().min(1)).min(1).max(most), {
    decode: (given) => [...new Set((Array.isArray(given) ? given : given.split(',')).map(Number))],
    encode: (ids) => ids.join(','),
  })
}
export const queryIds = queryIdsUpTo(200)

/** Id in a query string, where every value is text. */
export const queryId = queryInt(1)
export const Id = z.int().min(1)
