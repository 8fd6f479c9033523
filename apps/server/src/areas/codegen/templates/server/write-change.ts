import { call, sourceFile, wrapLine, arrayLiteral, literal, objectLiteral, omitColumns } from './source-text.ts'
import {
  fileColumns,
  hasFiles,
  isMovable,
  isTree,
  type ChildTable,
  richTextColumns,
  type CrudModule,
  type CrudColumn,
  dictColumns,
} from './crud-module.ts'
import { emitMove, emitParentCheck, emitVersionCheck } from './write-tree.ts'

export const emitAudit = ({ permission, table }: CrudModule): string =>
  sourceFile(
    "type Change = { verb: 'create' | 'update' | 'delete'; id: number; before?: object; after?: object }",
    '',
    'const recorded = (trx: Db, who: Caller, { verb, id, before, after }: Change): Promise<void> =>',
    '  writeAudit(trx, {',
    '    ...who,',
    `    action: \`${permission}:\${verb}\`,`,
    `    subject: '${table.tableName}',`,
    '    subjectId: id,',
    '    before: before ? toAuditState({ ...before }) : null,',
    '    after: after ? toAuditState({ ...after }) : null,',
    '  })',
  )

const schoolCheck = sourceFile(
  '/** An invisible school is rejected like a missing one. */',
  'const checkSchool = async (trx: Db, actor: Actor, id: number | null | undefined): Promise<void> => {',
  '  if (id === null || id === undefined) return',
  "  const known = await scoped(trx, actor).selectFrom('school').select('id').where('id', '=', id).executeTakeFirst()",
  "  if (!known) throw new BusinessError(codes.notFound, { what: '学校' })",
  '}',
)

/** Columns of a row as the generated reads return them. */
const dressed = (slice: CrudModule): string[] => {
  const from = slice.leftOut.length > 0 ? 'shown' : 'row'
  const entries = [
    ...fileColumns(slice).map(({ key, fileKey }) => `${fileKey}: made(row.${key}),`),
    ...richTextColumns(slice).map(({ key, nullable }) =>
      nullable
        ? `${key}: row.${key} === null ? null : withImageLinks(row.${key}, actor),`
        : `${key}: withImageLinks(row.${key}, actor),`,
    ),
  ]
  if (from === 'row')
    return ['  return rows.map((row) => ({', '    ...row,', ...entries.map((entry) => `    ${entry}`), '  }))']
  return [
    '  return rows.map((row) => {',
    omitColumns('    ', slice.leftOut),
    ...(entries.length > 0
      ? ['    return {', '      ...shown,', ...entries.map((entry) => `      ${entry}`), '    }']
      : ['    return shown']),
    '  })',
  ]
}

/** Maps rows for a reader. */
export const emitRowMapper = (slice: CrudModule): string => {
  const { type, leftOut } = slice
  const files = fileColumns(slice)
  const keys = files.map(({ key }) => key)
  return sourceFile(
    leftOut.length > 0 && '/** Without the excluded columns of the table. */',
    hasFiles(slice) && '/** With links that are valid for this reader, for ten minutes. */',
    call(
      '',
      'export const shownTo = async ',
      [
        files.length > 0 ? 'db: Db' : '_db: Db',
        hasFiles(slice) ? 'actor: Actor' : '_actor: Actor',
        `rows: readonly Row<'${slice.key}'>[]`,
      ],
      `: Promise<${type}[]> => {`,
    ),
    files.length > 0 &&
      arrayLiteral(
        '  ',
        'const ids = rows.flatMap((row) => ',
        keys.map((key) => `row.${key}`),
        ')',
      ),
    files.length > 0 && '  const made = await listAttachedFiles(db, actor, ids)',
    ...dressed(slice),
    '}',
  )
}

/** Texts are sanitized before they are stored, and files stay while a row refers to them. */
const holding = (slice: CrudModule): string => {
  const { formType, key } = slice
  const [files, rich] = [fileColumns(slice), richTextColumns(slice)]
  const keys = rich.map((column) => column.key)
  const given = rich.map(({ key: item }) => `${item}?: string | null | undefined`)
  return sourceFile(
    ...(rich.length === 0
      ? []
      : [
          '/** Sanitizes HTML by an allow list. */',
          `const cleaned = ({ ${keys.join(', ')} }: { ${given.join('; ')} }) => ({`,
          ...keys.map((key) => `  ...(${key} && { ${key}: cleanContent(${key}, ${formType}, '${key}') }),`),
          '})',
          '',
        ]),
    `const hold = (trx: Db, { actor }: Caller, row: Row<'${key}'>): Promise<void> =>`,
    `  attachFiles(trx, actor, { draft: ${formType}, subject: '${key}', subjectId: row.id }, [`,
    ...files.map(
      (column) => `    { field: '${column.key}', ids: [row.${column.key}], pictures: ${column.form === 'IMAGE'} },`,
    ),
    ...rich.map(
      (column) =>
        `    { field: '${column.key}', ids: imageIdsIn(row.${column.key}${column.nullable ? " ?? ''" : ''}), pictures: true },`,
    ),
    '  ])',
    '',
    '/** Releases the files of a deleted row. */',
    'const letGo = (trx: Db, { actor }: Caller, id: number): Promise<void> =>',
    `  attachFiles(trx, actor, { draft: ${formType}, subject: '${key}', subjectId: id }, [])`,
  )
}

/** The fields of a draft with dictionary values. */
export const emitDictChecks = (draft: string, columns: readonly (CrudColumn & { dictType: string })[]): string =>
  sourceFile(
    objectLiteral('const worded = ', [
      `draft: ${draft}`,
      objectLiteral(
        '  types: ',
        columns.map(({ key, dictType }) => `${key}: ${literal(dictType)}`),
      ).trim(),
    ]),
  )

const schoolKey = ({ columns }: CrudModule): string | undefined => columns.find(({ form }) => form === 'SCHOOL')?.key

export const writerOf = (part: ChildTable): string => `write${part.set.slice(0, 1).toUpperCase()}${part.set.slice(1)}`

/** The values of the row itself, without its child rows. */
const split = ({ parts }: CrudModule, from: string): string | undefined =>
  parts.length > 0 ? `    const { ${parts.map(({ set }) => set).join(', ')}, ...own } = ${from}` : undefined

const creating = (slice: CrudModule): string => {
  const { type, key, ofDept, parts } = slice
  const school = schoolKey(slice)
  const rich = richTextColumns(slice).length > 0
  const own = parts.length > 0 ? 'own' : 'draft'
  const dept = ofDept ? 'deptId: who.actor.deptId, ' : ''
  const clean = rich ? '...cleaned(draft), ' : ''
  const made = `{ ...after, ${parts.map(({ set }) => set).join(', ')} }`
  return sourceFile(
    call('', `export const create${type} = `, ['db: Db', `draft: ${type}Draft`, 'who: Caller'], ': Promise<number> =>'),
    '  db.transaction().execute(async (trx) => {',
    isTree(slice) && '    await holdTree(trx)',
    isTree(slice) && '    await checkParent(trx, who.actor, { parentId: draft.parentId })',
    school && slice.columns.some(({ key: item, inCreate }) => item === school && inCreate)
      ? `    await checkSchool(trx, who.actor, draft.${school})`
      : undefined,
    dictColumns(slice).length > 0 && '    await checkDictValues(trx, worded, draft)',
    split(slice, 'draft'),
    '    const after = await scoped(trx, who.actor)',
    `      .insertInto('${key}')`,
    `      .values({ ...${own}, ${clean}${dept}...createStamp(who) })`,
    '      .returningAll()',
    '      .executeTakeFirstOrThrow()',
    hasFiles(slice) && '    await hold(trx, who, after)',
    ...parts.map((part) => `    await ${writerOf(part)}(trx, who, after.id, ${part.set})`),
    parts.length > 0
      ? wrapLine(`    await recorded(trx, who, { verb: 'create', id: after.id, after: ${made} })`, [
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

const updating = (slice: CrudModule): string => {
  const { type, key, parts } = slice
  const school = schoolKey(slice)
  const own = parts.length > 0 ? 'own' : 'edit'
  const clean = richTextColumns(slice).length > 0 ? '...cleaned(edit), ' : ''
  const sets = parts.map(({ set }) => set)
  return sourceFile(
    call('', `export const update${type} = `, ['db: Db', `edit: ${type}Edit`, 'who: Caller'], ': Promise<true> =>'),
    '  db.transaction().execute(async (trx) => {',
    isTree(slice) && '    await holdTree(trx)',
    '    const before = found(await find(trx, who.actor, edit.id).forUpdate().executeTakeFirst())',
    emitVersionCheck(slice, 'edit.'),
    isTree(slice) && slice.columns.some(({ form, inUpdate }) => form === 'PARENT' && inUpdate)
      ? '    await checkParent(trx, who.actor, edit)'
      : undefined,
    school && slice.columns.some(({ key: item, inUpdate }) => item === school && inUpdate)
      ? `    await checkSchool(trx, who.actor, edit.${school})`
      : undefined,
    dictColumns(slice).length > 0 && '    await checkDictValues(trx, worded, edit, before)',
    split(slice, 'edit'),
    ...parts.map(({ set }) => `    const ${set}Before = await ${set}Of(trx, edit.id)`),
    '    const after = await scoped(trx, who.actor)',
    `      .updateTable('${key}')`,
    `      .set({ ...changedColumns(${own}), ${clean}...updateStamp(who) })`,
    "      .where('id', '=', edit.id)",
    '      .returningAll()',
    '      .executeTakeFirstOrThrow()',
    hasFiles(slice) && '    await hold(trx, who, after)',
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

const deleting = (slice: CrudModule): string => {
  const { type, key, parts } = slice
  const sets = parts.map(({ set }) => set)
  return sourceFile(
    `export const delete${type} = (db: Db, id: number, who: Caller): Promise<true> =>`,
    '  db.transaction().execute(async (trx) => {',
    isTree(slice) && '    await holdTree(trx)',
    '    const before = found(await find(trx, who.actor, id).forUpdate().executeTakeFirst())',
    isTree(slice) && '    await checkLeaf(trx, id)',
    ...parts.flatMap((part) => [
      `    const ${part.set} = await ${part.set}Of(trx, id)`,
      `    await ${writerOf(part)}(trx, who, id, [])`,
    ]),
    `    await scoped(trx, who.actor).deleteFrom('${key}').where('id', '=', id).execute()`,
    hasFiles(slice) && '    await letGo(trx, who, id)',
    parts.length > 0
      ? `    await recorded(trx, who, { verb: 'delete', id, before: { ...before, ${sets.join(', ')} } })`
      : "    await recorded(trx, who, { verb: 'delete', id, before })",
    '    return true as const',
    '  })',
  )
}

/** Emits the functions that write. */
export const emitMutations = (slice: CrudModule): string =>
  [
    schoolKey(slice) && schoolCheck,
    isTree(slice) && emitParentCheck(slice),
    dictColumns(slice).length > 0 && emitDictChecks(slice.formType, dictColumns(slice)),
    hasFiles(slice) && holding(slice),
    creating(slice),
    updating(slice),
    isMovable(slice) && emitMove(slice),
    deleting(slice),
  ]
    .filter(Boolean)
    .join('\n')
