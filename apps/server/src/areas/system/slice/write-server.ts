import { call, file, fitted, importing, literal } from './layout.ts'
import { filtersOf } from './write-contract.ts'
import type { Slice, SliceColumn } from './slice.ts'

const comparison: Readonly<Record<string, string>> = {
  EQ: '=',
  NE: '!=',
  GT: '>',
  GE: '>=',
  LT: '<',
  LE: '<=',
  IN: 'in',
}

/** How one filter narrows the list. */
const condition = (column: SliceColumn): string[] =>
  filtersOf(column).map(({ key, operator }) => {
    const patterns: Readonly<Record<string, string>> = {
      LIKE: `like(query.${key})`,
      // Without the wildcard behind, or before.
      LIKE_LEFT: `like(query.${key}).slice(0, -1)`,
      LIKE_RIGHT: `like(query.${key}).slice(1)`,
    }
    const pattern = patterns[operator]
    const args = pattern ? `'ilike', ${pattern}` : `'${comparison[operator]}', query.${key}`
    const when = `if (query.${key} !== undefined)`
    const then = `found = found.where('${column.key}', ${args})`
    return fitted(`  ${when} ${then}`, [`  ${when}`, `    ${then}`])
  })

const reading = ({ type, entity, key, table, columns }: Slice): string => {
  const conditions = columns.filter(({ inQuery }) => inQuery).flatMap(condition)
  const from = `scoped(db, actor).selectFrom('${key}')`
  const signature = `const filtered = (db: Db, actor: Actor, ${conditions.length > 0 ? 'query' : '_query'}: ${type}Query) =>`
  const page = call(
    '',
    `export const ${entity}Page = async `,
    ['db: Db', 'actor: Actor', `query: ${type}Query`],
    `: Promise<Page<${type}>> => {`,
  )
  const find = 'const find = (db: Db, actor: Actor, id: number) =>'
  return file(
    ...(conditions.length > 0
      ? [`${signature} {`, `  let found = ${from}`, ...conditions, '  return found', '}']
      : [fitted(`${signature} ${from}`, [signature, `  ${from}`])]),
    '',
    '/** Rows in sight, latest first. */',
    page,
    '  const { limit, offset } = pageOf(query)',
    '  const found = filtered(db, actor, query)',
    "  const list = await found.selectAll().orderBy('id', 'desc').limit(limit).offset(offset).execute()",
    "  return { list, ...(await countUpTo(db, found.select('id'))) }",
    '}',
    '',
    fitted(`${find} ${from}.selectAll().where('id', '=', id)`, [find, `  ${from}.selectAll().where('id', '=', id)`]),
    '',
    `const found = (row: ${type} | undefined): ${type} => {`,
    `  if (!row) throw new Refusal(codes.notFound, { what: ${literal(table.title)} })`,
    '  return row',
    '}',
    '',
    getting(type),
  )
}

const getting = (type: string): string => {
  const head = `export const get${type} = async `
  const params = ['db: Db', 'actor: Actor', 'id: number']
  const run = 'found(await find(db, actor, id).executeTakeFirst())'
  const one = `${head}(${params.join(', ')}): Promise<${type}> =>`
  return fitted(one, []) === one ? `${one}\n  ${run}` : call('', head, params, `: Promise<${type}> => ${run}`)
}

const recording = ({ permission, table }: Slice): string =>
  file(
    "type Change = { verb: 'create' | 'update' | 'delete'; id: number; before?: object; after?: object }",
    '',
    'const recorded = (trx: Db, who: Who, { verb, id, before, after }: Change): Promise<void> =>',
    '  audit(trx, {',
    '    ...who,',
    `    action: \`${permission}:\${verb}\`,`,
    `    subject: '${table.tableName}',`,
    '    subjectId: id,',
    '    before: before ? recordable({ ...before }) : null,',
    '    after: after ? recordable({ ...after }) : null,',
    '  })',
  )

const schoolCheck = file(
  '/** A school out of sight is refused like one that does not exist. */',
  'const checkSchool = async (trx: Db, actor: Actor, id: number | null | undefined): Promise<void> => {',
  '  if (id === null || id === undefined) return',
  "  const known = await scoped(trx, actor).selectFrom('school').select('id').where('id', '=', id).executeTakeFirst()",
  "  if (!known) throw new Refusal(codes.notFound, { what: '学校' })",
  '}',
)

const schoolKey = ({ columns }: Slice): string | undefined => columns.find(({ form }) => form === 'SCHOOL')?.key

const creating = (slice: Slice): string => {
  const { type, key, ofDept } = slice
  const school = schoolKey(slice)
  const params = ['db: Db', `draft: ${type}Draft`, 'who: Who']
  const head = call('', `export const create${type} = `, params, ': Promise<number> =>')
  const dept = ofDept ? 'deptId: who.actor.deptId, ' : ''
  return file(
    head,
    '  db.transaction().execute(async (trx) => {',
    school && `    await checkSchool(trx, who.actor, draft.${school})`,
    '    const after = await scoped(trx, who.actor)',
    `      .insertInto('${key}')`,
    `      .values({ ...draft, ${dept}...authored(who) })`,
    '      .returningAll()',
    '      .executeTakeFirstOrThrow()',
    "    await recorded(trx, who, { verb: 'create', id: after.id, after })",
    '    return after.id',
    '  })',
  )
}

const changing = (slice: Slice): string => {
  const { type, key } = slice
  const school = schoolKey(slice)
  return file(
    call('', `export const update${type} = `, ['db: Db', `edit: ${type}Edit`, 'who: Who'], ': Promise<true> =>'),
    '  db.transaction().execute(async (trx) => {',
    '    const before = found(await find(trx, who.actor, edit.id).forUpdate().executeTakeFirst())',
    `    await checkVersion(edit.version, before, () => z.encode(${type}, before))`,
    school && `    await checkSchool(trx, who.actor, edit.${school})`,
    '    const after = await scoped(trx, who.actor)',
    `      .updateTable('${key}')`,
    '      .set({ ...given(edit), ...touched(who) })',
    "      .where('id', '=', edit.id)",
    '      .returningAll()',
    '      .executeTakeFirstOrThrow()',
    "    await recorded(trx, who, { verb: 'update', id: edit.id, before, after })",
    '    return true as const',
    '  })',
    '',
    `export const delete${type} = (db: Db, id: number, who: Who): Promise<true> =>`,
    '  db.transaction().execute(async (trx) => {',
    '    const before = found(await find(trx, who.actor, id).forUpdate().executeTakeFirst())',
    `    await scoped(trx, who.actor).deleteFrom('${key}').where('id', '=', id).execute()`,
    "    await recorded(trx, who, { verb: 'delete', id, before })",
    '    return true as const',
    '  })',
  )
}

/** The name of the constraint that keeps a column unique, as the migration makes it. */
export const uniqueKey = ({ table }: Slice, { columnName }: SliceColumn): string =>
  `${table.tableName}_${columnName}_key`.slice(0, 63)

const uniqueness = (slice: Slice): string | undefined => {
  const single = slice.columns.filter((column) => column.single)
  if (single.length === 0 || slice.product) return undefined
  return file(
    'conflicts({',
    ...single.flatMap((column) => [
      `  ${uniqueKey(slice, column)}: {`,
      '    code: codes.duplicate,',
      `    params: { field: ${literal(column.title)} },`,
      '  },',
    ]),
    '})',
  )
}

/** What the calls do. */
export const writeServer = (slice: Slice): string => {
  const { type, module } = slice
  const unique = uniqueness(slice)
  const school = schoolKey(slice)
  const body = [unique, reading(slice), recording(slice), school && schoolCheck, creating(slice), changing(slice)]
  const text = body.filter(Boolean).join('\n')
  const typed = [`${type}Draft`, `${type}Edit`, `${type}Query`].map((name) => `type ${name}`)
  return file(
    "import { codes } from '@tocsin/contract/codes'",
    "import type { Page } from '@tocsin/contract/page'",
    importing([type, ...typed], `@tocsin/contract/${module}`),
    "import { z } from 'zod'",
    "import { audit } from '#areas/system/audit'",
    "import { authored, checkVersion, given, recordable, touched, type Who } from '#areas/system/edit'",
    unique && "import { conflicts } from '#db/conflict'",
    "import type { Db } from '#db/db'",
    /\blike\(/.test(text) && "import { like } from '#db/like'",
    "import { countUpTo } from '#db/page'",
    "import { scoped } from '#db/scope'",
    "import { Refusal } from '#http/refusal'",
    "import type { Actor } from '#http/route'",
    "import { pageOf } from '#http/window'",
    '',
    text.trimEnd(),
  )
}

export const writeRoutes = ({ type, entity, set, module, kebab }: Slice): string => {
  const names = [`create${type}`, `delete${type}`, `${entity}Page`, `get${type}`, `update${type}`]
  return file(
    `import { ${set} } from '@tocsin/contract/${module}'`,
    "import type { Db } from '#db/db'",
    "import { type Route, route } from '#http/route'",
    importing(names, `./${kebab}.ts`),
    '',
    `export const ${entity}Routes = ({ db }: { db: Db }): Route[] => [`,
    `  route(${set}.page, ({ query, actor }) => ${entity}Page(db, actor, query)),`,
    `  route(${set}.get, ({ query, actor }) => get${type}(db, actor, query.id)),`,
    ...(
      [
        ['create', 'body', 'body'],
        ['update', 'body', 'body'],
        ['delete', 'query', 'query.id'],
      ] as const
    ).map(([verb, part, what]) => {
      const arrow = `({ ${part}, actor, origin }) =>`
      const run = `${verb}${type}(db, ${what}, { actor, origin })`
      return fitted(`  route(${set}.${verb}, ${arrow} ${run}),`, [
        `  route(${set}.${verb}, ${arrow}`,
        `    ${run},`,
        '  ),',
      ])
    }),
    ']',
  )
}
