import { call, file, fitted, literal } from './layout.ts'
import { filesIn, isDressed, isTree, type Part, richIn, type Slice } from './slice.ts'

export const recording = ({ permission, table }: Slice): string =>
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

/** What stands above a row: in sight, and not below it. */
const treeCheck = ({ key, table, formType }: Slice): string => {
  const lock = `sql\`select pg_advisory_xact_lock(hashtext('${table.tableName}'))\`.execute(trx)`
  return file(
    '/** The tree changes in one place at a time, or two moves at once could make a ring. */',
    fitted(`const holdTree = (trx: Db) => ${lock}`, ['const holdTree = (trx: Db) =>', `  ${lock}`]),
    '',
    '/** A row goes below one in sight, and neither below itself nor below what is below it. */',
    'const checkParent = async (trx: Db, actor: Actor, edit: { id?: number; parentId?: number | null | undefined }) => {',
    '  const { id, parentId } = edit',
    '  if (!parentId) return',
    '  found(await find(trx, actor, parentId).executeTakeFirst())',
    '  if (id === undefined) return',
    '  const { rows } = await sql`',
    '    with recursive up as (',
    `      select id, parent_id from "${table.tableName}" where id = \${parentId}`,
    `      union select above.id, above.parent_id from "${table.tableName}" above join up on above.id = up.parent_id`,
    "    ) select id from up where id = ${id}`.execute(everything(trx, 'a ring may close out of sight'))",
    `  if (rows.length > 0) throw badField(${formType}, 'parentId', 'choice')`,
    '}',
    '',
    '/** What is below a row may be out of sight. */',
    'const checkLeaf = async (trx: Db, id: number, what: string): Promise<void> => {',
    "  const below = await everything(trx, 'nothing is read but that there is one')",
    `    .selectFrom('${key}')`,
    "    .select('id')",
    "    .where('parentId', '=', id)",
    '    .executeTakeFirst()',
    '  if (below) throw new Refusal(codes.referred, { what })',
    '}',
  )
}

/** Texts are cleaned before they are kept, and files are kept while a row holds them. */
const holding = (slice: Slice): string => {
  const { formType, key } = slice
  const [files, rich] = [filesIn(slice), richIn(slice)]
  const keys = rich.map((column) => column.key)
  const given = rich.map(({ key: one }) => `${one}?: string | null | undefined`)
  return file(
    ...(rich.length === 0
      ? []
      : [
          '/** HTML by an allow list. */',
          `const cleaned = ({ ${keys.join(', ')} }: { ${given.join('; ')} }) => ({`,
          ...keys.map((one) => `  ...(${one} && { ${one}: cleanContent(${one}, ${formType}, '${one}') }),`),
          '})',
          '',
        ]),
    `const hold = (trx: Db, { actor }: Who, row: Row<'${key}'>): Promise<void> =>`,
    `  holdFiles(trx, actor, { draft: ${formType}, subject: '${key}', subjectId: row.id }, [`,
    ...files.map(
      (column) => `    { field: '${column.key}', ids: [row.${column.key}], pictures: ${column.form === 'IMAGE'} },`,
    ),
    ...rich.map(
      (column) =>
        `    { field: '${column.key}', ids: picturesIn(row.${column.key}${column.nullable ? " ?? ''" : ''}), pictures: true },`,
    ),
    '  ])',
    '',
    '/** Nothing holds them any more. */',
    'const letGo = (trx: Db, { actor }: Who, id: number): Promise<void> =>',
    `  holdFiles(trx, actor, { draft: ${formType}, subject: '${key}', subjectId: id }, [])`,
  )
}

const schoolKey = ({ columns }: Slice): string | undefined => columns.find(({ form }) => form === 'SCHOOL')?.key

export const writerOf = (part: Part): string => `write${part.set.slice(0, 1).toUpperCase()}${part.set.slice(1)}`

/** The values of the row itself, without the rows that belong to it. */
const split = ({ parts }: Slice, from: string): string | undefined =>
  parts.length > 0 ? `    const { ${parts.map(({ set }) => set).join(', ')}, ...own } = ${from}` : undefined

const creating = (slice: Slice): string => {
  const { type, key, ofDept, parts } = slice
  const school = schoolKey(slice)
  const rich = richIn(slice).length > 0
  const own = parts.length > 0 ? 'own' : 'draft'
  const dept = ofDept ? 'deptId: who.actor.deptId, ' : ''
  const clean = rich ? '...cleaned(draft), ' : ''
  const made = `{ ...after, ${parts.map(({ set }) => set).join(', ')} }`
  return file(
    call('', `export const create${type} = `, ['db: Db', `draft: ${type}Draft`, 'who: Who'], ': Promise<number> =>'),
    '  db.transaction().execute(async (trx) => {',
    isTree(slice) && '    await holdTree(trx)',
    isTree(slice) && '    await checkParent(trx, who.actor, { parentId: draft.parentId })',
    school && slice.columns.some(({ key: one, inCreate }) => one === school && inCreate)
      ? `    await checkSchool(trx, who.actor, draft.${school})`
      : undefined,
    split(slice, 'draft'),
    '    const after = await scoped(trx, who.actor)',
    `      .insertInto('${key}')`,
    `      .values({ ...${own}, ${clean}${dept}...authored(who) })`,
    '      .returningAll()',
    '      .executeTakeFirstOrThrow()',
    isDressed(slice) && '    await hold(trx, who, after)',
    ...parts.map((part) => `    await ${writerOf(part)}(trx, who, after.id, ${part.set})`),
    parts.length > 0
      ? fitted(`    await recorded(trx, who, { verb: 'create', id: after.id, after: ${made} })`, [
          '    await recorded(trx, who, {',
          "      verb: 'create',",
          '      id: after.id,',
          `      after: ${made},`,
          '    })',
        ])
      : "    await recorded(trx, who, { verb: 'create', id: after.id, after })",
    '    return after.id',
    '  })',
  )
}

const updating = (slice: Slice): string => {
  const { type, key, parts } = slice
  const school = schoolKey(slice)
  const whole = isDressed(slice) || parts.length > 0
  const current = whole
    ? `async () => z.encode(${parts.length > 0 ? `${type}Whole` : type}, await get${type}(trx, who.actor, edit.id))`
    : `() => z.encode(${type}, before)`
  const own = parts.length > 0 ? 'own' : 'edit'
  const clean = richIn(slice).length > 0 ? '...cleaned(edit), ' : ''
  const sets = parts.map(({ set }) => set)
  return file(
    call('', `export const update${type} = `, ['db: Db', `edit: ${type}Edit`, 'who: Who'], ': Promise<true> =>'),
    '  db.transaction().execute(async (trx) => {',
    isTree(slice) && '    await holdTree(trx)',
    '    const before = found(await find(trx, who.actor, edit.id).forUpdate().executeTakeFirst())',
    fitted(`    await checkVersion(edit.version, before, ${current})`, [
      `    await checkVersion(edit.version, before, ${current.slice(0, current.indexOf('=>') + 2)}`,
      `      ${current.slice(current.indexOf('=>') + 3)},`,
      '    )',
    ]),
    isTree(slice) && slice.columns.some(({ form, inUpdate }) => form === 'PARENT' && inUpdate)
      ? '    await checkParent(trx, who.actor, edit)'
      : undefined,
    school && slice.columns.some(({ key: one, inUpdate }) => one === school && inUpdate)
      ? `    await checkSchool(trx, who.actor, edit.${school})`
      : undefined,
    split(slice, 'edit'),
    ...parts.map(({ set }) => `    const ${set}Before = await ${set}Of(trx, edit.id)`),
    '    const after = await scoped(trx, who.actor)',
    `      .updateTable('${key}')`,
    `      .set({ ...given(${own}), ${clean}...touched(who) })`,
    "      .where('id', '=', edit.id)",
    '      .returningAll()',
    '      .executeTakeFirstOrThrow()',
    isDressed(slice) && '    await hold(trx, who, after)',
    ...parts.map((part) => `    if (${part.set}) await ${writerOf(part)}(trx, who, after.id, ${part.set})`),
    ...(parts.length > 0
      ? [
          '    await recorded(trx, who, {',
          "      verb: 'update',",
          '      id: edit.id,',
          `      before: { ...before, ${sets.map((set) => `${set}: ${set}Before`).join(', ')} },`,
          `      after: { ...after, ${sets.map((set) => `${set}: await ${set}Of(trx, edit.id)`).join(', ')} },`,
          '    })',
        ]
      : ["    await recorded(trx, who, { verb: 'update', id: edit.id, before, after })"]),
    '    return true as const',
    '  })',
  )
}

const deleting = (slice: Slice): string => {
  const { type, key, parts, table } = slice
  const sets = parts.map(({ set }) => set)
  return file(
    `export const delete${type} = (db: Db, id: number, who: Who): Promise<true> =>`,
    '  db.transaction().execute(async (trx) => {',
    isTree(slice) && '    await holdTree(trx)',
    '    const before = found(await find(trx, who.actor, id).forUpdate().executeTakeFirst())',
    isTree(slice) && `    await checkLeaf(trx, id, ${literal(table.title)})`,
    ...parts.flatMap((part) => [
      `    const ${part.set} = await ${part.set}Of(trx, id)`,
      `    await ${writerOf(part)}(trx, who, id, [])`,
    ]),
    `    await scoped(trx, who.actor).deleteFrom('${key}').where('id', '=', id).execute()`,
    isDressed(slice) && '    await letGo(trx, who, id)',
    parts.length > 0
      ? `    await recorded(trx, who, { verb: 'delete', id, before: { ...before, ${sets.join(', ')} } })`
      : "    await recorded(trx, who, { verb: 'delete', id, before })",
    '    return true as const',
    '  })',
  )
}

/** What writes. */
export const changing = (slice: Slice): string =>
  [
    schoolKey(slice) && schoolCheck,
    isTree(slice) && treeCheck(slice),
    isDressed(slice) && holding(slice),
    creating(slice),
    updating(slice),
    deleting(slice),
  ]
    .filter(Boolean)
    .join('\n')
