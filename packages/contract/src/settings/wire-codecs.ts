import { z } from 'zod'
import { Id } from '../codecs.ts'
import { field, labelled } from '../field.ts'

/** A name in code, a number on the wire (wire 11.1). */
const numbered = <const W extends Record<string, number>>(words: W) => {
  const names = Object.keys(words) as (keyof W & string)[]
  return z.codec(z.literal(Object.values(words)), z.enum(names), {
    decode: (number, ctx) => {
      const name = names.find((name) => words[name] === number)
      if (name) return name
      ctx.issues.push({ code: 'invalid_value', values: Object.values(words), input: number })
      return z.NEVER
    },
    encode: (name) => words[name] ?? 0,
  })
}

/** `status` of the canonical calls: 0 enabled, 1 disabled; true is enabled on both sides (wire 11.3). */
export const Status = labelled(
  z.codec(z.literal([0, 1]), z.boolean(), {
    decode: (number) => number === 0,
    encode: (enabled) => (enabled ? 0 : 1),
  }),
  'enabled',
)
export const StatusFilter = labelled(
  z.codec(z.enum(['0', '1']), z.boolean(), {
    decode: (text) => text === '0',
    encode: (enabled) => (enabled ? '0' : '1'),
  }),
  'enabled',
)
/** Flags of the `/api/v1` calls: 1 yes, 0 no. */
export const Flag = z.codec(z.literal([0, 1]), z.boolean(), {
  decode: (number) => number === 1,
  encode: (on) => (on ? 1 : 0),
})

/** The same codec for a query string. */
export const queryFlag = z.codec(z.enum(['0', '1', 'true', 'false']), z.boolean(), {
  decode: (text) => text === '1' || text === 'true',
  encode: (on) => (on ? '1' : '0'),
})

export const Sex = numbered({ UNKNOWN: 0, MALE: 1, FEMALE: 2 })
export const UserType = numbered({ STAFF: 1, SCHOOL: 2 })
export const RoleType = z.codec(z.literal([1, 2]), z.boolean(), {
  decode: (number) => number === 1,
  encode: (builtIn) => (builtIn ? 1 : 2),
})
export const DataScope = numbered({ ALL: 1, CUSTOM: 2, DEPT: 3, DEPT_AND_CHILD: 4, SELF: 5 })

/** The parent of a row in a tree: 0 at the top on the wire, null on both sides. */
export const ParentId = z.codec(z.int().min(0), z.int().nullable(), {
  decode: (id) => id || null,
  encode: (id) => id ?? 0,
})

/** The target of a moved tree row: its parent, and the sibling it is placed before; null: behind all. */
export const Move = z.strictObject({
  id: field(Id, '编号', 'Id'),
  parentId: field(ParentId, '上级', 'Parent'),
  beforeId: field(Id.nullable(), '排在其前', 'Before'),
  version: field(z.int().optional(), '版本', 'Version'),
})
export type Move = z.output<typeof Move>

/** Largest position among siblings. */
export const SORT_MAX = 100_000
