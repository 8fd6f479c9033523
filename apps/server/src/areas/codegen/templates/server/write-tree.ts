import { call, sourceFile, wrapLine, literal } from './source-text.ts'
import { needsRowMapping, type CrudModule } from './crud-module.ts'

/** Emits the check of a parent: visible, and not below the row. */
export const emitParentCheck = ({ key, table, formType }: CrudModule): string => {
  const lock = `sql\`select pg_advisory_xact_lock(hashtext('${table.tableName}'))\`.execute(trx)`
  return sourceFile(
    '/** One lock for the whole tree: two concurrent moves could form a cycle. */',
    wrapLine(`const holdTree = (trx: Db) => ${lock}`, ['const holdTree = (trx: Db) =>', `  ${lock}`]),
    '',
    '/** The parent must be visible, and neither the row itself nor below it. */',
    'const checkParent = async (trx: Db, actor: Actor, edit: { id?: number; parentId?: number | null | undefined }) => {',
    '  const { id, parentId } = edit',
    '  if (!parentId) return',
    '  found(await find(trx, actor, parentId).executeTakeFirst())',
    '  if (id === undefined) return',
    '  const { rows } = await sql`',
    '    with recursive up as (',
    `      select id, parent_id from "${table.tableName}" where id = \${parentId}`,
    `      union select above.id, above.parent_id from "${table.tableName}" above join up on above.id = up.parent_id`,
    "    ) select id from up where id = ${id}`.execute(unscoped(trx, 'a ring may close out of sight'))",
    `  if (rows.length > 0) throw fieldError(${formType}, 'parentId', 'choice')`,
    '}',
    '',
    '/** Rows below may be invisible. */',
    'const checkLeaf = async (trx: Db, id: number): Promise<void> => {',
    "  const below = await unscoped(trx, 'nothing is read but that there is one')",
    `    .selectFrom('${key}')`,
    "    .select('id')",
    "    .where('parentId', '=', id)",
    '    .executeTakeFirst()',
    `  if (below) throw new BusinessError(codes.referred, { what: ${literal(table.title)} })`,
    '}',
  )
}

/** Emits the version check. */
export const emitVersionCheck = (slice: CrudModule, from: 'edit.' | ''): string => {
  const { type, parts } = slice
  const whole = needsRowMapping(slice) || parts.length > 0
  const current = whole
    ? `async () => z.encode(${parts.length > 0 ? `${type}Whole` : type}, await get${type}(trx, who.actor, ${from}id))`
    : `() => z.encode(${type}, before)`
  const [head, tail] = [current.slice(0, current.indexOf('=>') + 2), current.slice(current.indexOf('=>') + 3)]
  return wrapLine(`    await checkVersion(${from}version, before, ${current})`, [
    `    await checkVersion(${from}version, before, ${head}`,
    `      ${tail},`,
    '    )',
  ])
}

/** Emits a tree whose rows have a sort order. */
export const emitMove = (slice: CrudModule): string => {
  const { type, key } = slice
  const only = ".where('id', '=', one).where('sort', '<>', sort)"
  return sourceFile(
    '/** Moves a row in the tree; of its new siblings only the sort numbers change. */',
    call(
      '',
      `export const move${type} = `,
      ['db: Db', '{ id, parentId, beforeId, version }: Move', 'who: Caller'],
      ': Promise<true> =>',
    ),
    '  db.transaction().execute(async (trx) => {',
    '    await holdTree(trx)',
    '    const rows = scoped(trx, who.actor)',
    '    const before = found(await find(trx, who.actor, id).forUpdate().executeTakeFirst())',
    emitVersionCheck(slice, ''),
    '    await checkParent(trx, who.actor, { id, parentId })',
    '    const siblings = await rows',
    `      .selectFrom('${key}')`,
    "      .select(['id', 'sort'])",
    "      .where('parentId', 'is not distinct from', parentId)",
    "      .where('id', '<>', id)",
    "      .orderBy('sort')",
    "      .orderBy('id')",
    '      .execute()',
    '    for (const { id: one, sort } of reorderedSiblings(siblings, before, beforeId))',
    wrapLine(`      await rows.updateTable('${key}').set({ sort })${only}.execute()`, [
      '      await rows',
      `        .updateTable('${key}')`,
      '        .set({ sort })',
      "        .where('id', '=', one)",
      "        .where('sort', '<>', sort)",
      '        .execute()',
    ]),
    '    const after = await rows',
    `      .updateTable('${key}')`,
    '      .set({ parentId, ...updateStamp(who) })',
    "      .where('id', '=', id)",
    '      .returningAll()',
    '      .executeTakeFirstOrThrow()',
    "    await recorded(trx, who, { verb: 'update', id, before, after })",
    '    return true as const',
    '  })',
  )
}
