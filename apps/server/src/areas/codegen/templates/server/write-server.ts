import { call, sourceFile, wrapLine, importLine, literal } from './source-text.ts'
import { needsRowMapping, isMovable, isTree, type CrudModule, type CrudColumn, sortColumn } from './crud-module.ts'
import { emitMutations, emitRowMapper, emitAudit, writerOf } from './write-change.ts'
import { filtersOf } from './write-schema.ts'
import { foreignKey, isReference, uniqueKey } from './write-sql.ts'

const comparison: Readonly<Record<string, string>> = {
  EQ: '=',
  NE: '!=',
  GT: '>',
  GE: '>=',
  LT: '<',
  LE: '<=',
  IN: 'in',
}

/** The condition of one filter. */
const condition = (column: CrudColumn): string[] =>
  filtersOf(column).map(({ key, operator }) => {
    const patterns: Readonly<Record<string, string>> = {
      LIKE: `likePattern(query.${key})`,
      // Without the wildcard at the end, or at the beginning.
      LIKE_LEFT: `likePattern(query.${key}).slice(0, -1)`,
      LIKE_RIGHT: `likePattern(query.${key}).slice(1)`,
    }
    const pattern = patterns[operator]
    const args = pattern ? `'ilike', ${pattern}` : `'${comparison[operator]}', query.${key}`
    const when = `if (query.${key} !== undefined)`
    const then =
      column.kind === 'LIST'
        ? `found = found.where(({ eb, fn, val }) => eb(val(query.${key}), '=', fn.any('${column.key}')))`
        : `found = found.where('${column.key}', ${args})`
    return wrapLine(`  ${when} ${then}`, [`  ${when}`, `    ${then}`])
  })

export const orderByCode = (slice: CrudModule): string => {
  const sort = sortColumn(slice)
  const latest = isTree(slice) ? ".orderBy('id')" : ".orderBy('id', 'desc')"
  return sort ? `.orderBy('${sort.key}')${latest}` : latest
}

const paging = (slice: CrudModule): string[] => {
  const { type, entity } = slice
  const dressed = needsRowMapping(slice)
  if (isTree(slice)) {
    const head = call(
      '',
      `export const ${entity}List = async `,
      ['db: Db', 'actor: Actor', `query: ${type}Query`],
      `: Promise<${type}[]> =>`,
    )
    const all = `filtered(db, actor, query).selectAll()${orderByCode(slice)}.execute()`
    return [
      '/** All visible rows, siblings in their order. */',
      head,
      dressed ? `  shownTo(db, actor, await ${all})` : `  ${all}`,
    ].map((item) => (dressed ? item : item.replace(' = async ', ' = ')))
  }
  const head = call(
    '',
    `export const ${entity}Page = async `,
    ['db: Db', 'actor: Actor', `query: ${type}Query`],
    `: Promise<Page<${type}>> => {`,
  )
  const order = orderByCode(slice)
  return [
    sortColumn(slice) ? '/** Visible rows in their order. */' : '/** Visible rows, latest first. */',
    head,
    '  const { limit, offset } = toOffsetLimit(query)',
    '  const found = filtered(db, actor, query)',
    wrapLine(`  const list = await found.selectAll()${order}.limit(limit).offset(offset).execute()`, [
      '  const list = await found',
      '    .selectAll()',
      ...order.split(/(?=\.orderBy)/).map((item) => `    ${item}`),
      '    .limit(limit)',
      '    .offset(offset)',
      '    .execute()',
    ]),
    dressed
      ? "  return { list: await shownTo(db, actor, list), ...(await countCapped(db, found.select('id'))) }"
      : "  return { list, ...(await countCapped(db, found.select('id'))) }",
    '}',
  ]
}

const getting = (slice: CrudModule): string => {
  const { type, parts } = slice
  const whole = parts.length > 0 ? `${type}Whole` : type
  const head = call(
    '',
    `export const get${type} = async `,
    ['db: Db', 'actor: Actor', 'id: number'],
    `: Promise<${whole}> =>`,
  )
  const run = 'found(await find(db, actor, id).executeTakeFirst())'
  if (parts.length === 0 && !needsRowMapping(slice)) return sourceFile(head, `  ${run}`).trimEnd()
  const shown = needsRowMapping(slice) ? `found((await shownTo(db, actor, [${run}]))[0])` : run
  if (parts.length === 0) return sourceFile(head, `  ${shown}`).trimEnd()
  return sourceFile(
    `${head} ({`,
    `  ...${shown},`,
    ...parts.map((part) => `  ${part.set}: await ${part.set}Of(db, id),`),
    '})',
  ).trimEnd()
}

const reading = (slice: CrudModule): string => {
  const { type, key, table, columns } = slice
  const conditions = columns.filter(({ inQuery }) => inQuery).flatMap(condition)
  const from = `scoped(db, actor).selectFrom('${key}')`
  const name = `export const filtered = (db: Db, actor: Actor, ${conditions.length > 0 ? 'query' : '_query'}: ${type}Query) =>`
  const find = 'const find = (db: Db, actor: Actor, id: number) =>'
  const row = needsRowMapping(slice) ? '<R>(row: R | undefined): R' : `(row: ${type} | undefined): ${type}`
  return sourceFile(
    '/** Visible rows of the filter. */',
    ...(conditions.length > 0
      ? [`${name} {`, `  let found = ${from}`, ...conditions, '  return found', '}']
      : [wrapLine(`${name} ${from}`, [name, `  ${from}`])]),
    '',
    ...(needsRowMapping(slice) ? [emitRowMapper(slice)] : []),
    ...paging(slice),
    '',
    wrapLine(`${find} ${from}.selectAll().where('id', '=', id)`, [find, `  ${from}.selectAll().where('id', '=', id)`]),
    '',
    `const found = ${row} => {`,
    `  if (!row) throw new BusinessError(codes.notFound, { what: ${literal(table.title)} })`,
    '  return row',
    '}',
    '',
    getting(slice),
  )
}

type Meaning = { rule: string; code: string; params: string }
/** A user who may create tables may give a rule any name. */
const named = (rule: string): string => (/^[a-z_][a-z0-9_]*$/i.test(rule) ? rule : literal(rule))
const meaning = ({ rule, code, params }: Meaning): string[] => [
  `  ${named(rule)}: {`,
  `    code: codes.${code},`,
  `    params: { ${params} },`,
  '  },',
]

/** Files of a draft are named before they are checked; other references have no field in the draft. */
const namedBy = ({ refers, title }: CrudColumn) => ({
  code: refers === 'file' ? 'notFound' : 'referred',
  params: `what: ${literal(title)}`,
})

/** The errors for values that the database rejects: a duplicate, or a row that is still referenced. */
const refusals = (slice: CrudModule): string | undefined => {
  const own = [slice, ...slice.parts].filter((item) => !item.product)
  const known = own.flatMap((item) =>
    item.columns.flatMap((column): Meaning[] => [
      ...(column.single
        ? [{ rule: uniqueKey(item, column), code: 'duplicate', params: `field: ${literal(column.title)}` }]
        : []),
      ...(isReference(item, column) ? [{ rule: foreignKey(item, column), ...namedBy(column) }] : []),
    ]),
  )
  const title = literal(slice.table.title)
  // A child table may refer to the table more than once.
  const rest = slice.unnamed.filter(({ rule }) => !known.some((item) => item.rule === rule))
  const others = rest.flatMap(({ rule, means }) => {
    if (means === 'invalid') return [`  ${named(rule)}: { code: codes.invalid },`]
    return meaning({ rule, code: means, params: `${means === 'duplicate' ? 'field' : 'what'}: ${title}` })
  })
  const all = [...known.flatMap(meaning), ...others]
  return all.length > 0 ? sourceFile('registerConstraintErrors({', ...all, '})') : undefined
}

const from = (text: string, source: string, names: readonly string[]): string | undefined => {
  const used = names.filter((name) => new RegExp(`\\b${name.replace('type ', '')}\\b`).test(text))
  if (used.length === 0) return undefined
  const types = used.every((name) => name.startsWith('type '))
  return types
    ? importLine(
        used.map((name) => name.slice('type '.length)),
        source,
      ).replace(/^import/, 'import type')
    : importLine(used, source)
}

/** Emits the functions of the calls. */
export const writeServer = (slice: CrudModule): string => {
  const { type, formType, module, parts } = slice
  const value = slice.readOnly ? undefined : refusals(slice)
  const body = slice.readOnly ? [reading(slice)] : [value, reading(slice), emitAudit(slice), emitMutations(slice)]
  const text = body.filter(Boolean).join('\n')
  const code = text.replaceAll(/'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"/g, "''")
  const of = (source: string, ...names: string[]) => from(code, source, names)
  const whole = parts.length > 0 ? `${type}Whole` : type
  const valued = (name: string) => new RegExp(`[(,] ?${name}\\b(?!:)|draft: ${name}\\b`).test(code)
  const names = [...new Set([type, whole, formType, `${type}Draft`, `${type}Edit`, `${type}Query`])]
  const typed = names.map((name) => (valued(name) ? name : `type ${name}`))
  return sourceFile(
    "import { codes } from '@tocsin/contract/codes'",
    of('@tocsin/contract/page', 'type Page'),
    of(`@tocsin/contract/${module}`, ...typed),
    of('@tocsin/contract/settings/wire-codecs', 'type Move'),
    of('kysely', 'sql'),
    of('zod', 'z'),
    of('#areas/audit/audit', 'writeAudit'),
    of('#areas/audit/entity/dict-values', 'checkDictValues'),
    of(
      '#areas/audit/edit-transaction',
      'createStamp',
      'fieldError',
      'checkVersion',
      'changedColumns',
      'toAuditState',
      'updateStamp',
    ),
    of('#areas/files/attachments', 'listAttachedFiles', 'attachFiles'),
    of('#areas/notices/content', 'cleanContent', 'imageIdsIn', 'withImageLinks'),
    of('#areas/audit/sibling-order', 'reorderedSiblings'),
    value && "import { registerConstraintErrors } from '#db/constraint-error'",
    "import type { Db } from '#db/db'",
    of('#db/keyword-search', 'likePattern'),
    of('#db/page', 'countCapped'),
    of('#db/scope', 'unscoped', 'scoped'),
    of('#db/tables', 'type Row'),
    of('#http/business-error', 'BusinessError'),
    of('#http/route', 'type Actor', 'type Caller'),
    of('#http/time-window', 'toOffsetLimit'),
    ...parts.map((part) => importLine([`${part.set}Of`, writerOf(part)], `./${part.files.server.split('/').at(-1)}`)),
    '',
    text.trimEnd(),
  )
}

export const writeRoutes = (slice: CrudModule): string => {
  const { type, entity, set, module, kebab } = slice
  const listing = isTree(slice) ? 'list' : 'page'
  const read = isTree(slice) ? `${entity}List` : `${entity}Page`
  const { readOnly: looked } = slice
  const names = [...(looked ? [] : [`create${type}`, `delete${type}`, `update${type}`]), read, `get${type}`]
  const movable = isMovable(slice)
  if (movable) names.push(`move${type}`)
  return sourceFile(
    `import { ${set} } from '@tocsin/contract/${module}'`,
    "import { exportRoutes } from '#areas/audit/export-routes'",
    "import { exportJobs } from '#areas/files/export/export-jobs'",
    "import type { Db } from '#db/db'",
    "import { type Route, route } from '#http/route'",
    "import type { JobHandler } from '#jobs/run'",
    `import { ${entity}Export } from './export.ts'`,
    importLine(names.toSorted(), `./${kebab}.ts`),
    '',
    `export const ${entity}Routes = ({ db }: { db: Db }): Route[] => [`,
    `  route(${set}.${listing}, ({ query, actor }) => ${read}(db, actor, query)),`,
    `  route(${set}.get, ({ query, actor }) => get${type}(db, actor, query.id)),`,
    ...(looked
      ? []
      : ([
          ['create', 'body', 'body'],
          ['update', 'body', 'body'],
          ...(movable ? ([['move', 'body', 'body']] as const) : []),
          ['delete', 'query', 'query.id'],
        ] as const)
    ).map(([verb, part, item]) => {
      const arrow = `({ ${part}, caller }) =>`
      const run = `${verb}${type}(db, ${item}, caller)`
      return wrapLine(`  route(${set}.${verb}, ${arrow} ${run}),`, [
        `  route(${set}.${verb}, ${arrow}`,
        `    ${run},`,
        '  ),',
      ])
    }),
    `  ...exportRoutes(db, ${entity}Export),`,
    ']',
    '',
    `export const ${entity}Jobs: Record<string, JobHandler> = exportJobs(${entity}Export)`,
  )
}
