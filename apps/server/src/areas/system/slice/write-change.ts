import { call, file, fitted, list, literal, object, without } from './layout.ts'
import {
  filesIn,
  isHolding,
  isMovable,
  isTree,
  type Part,
  richIn,
  type Slice,
  type SliceColumn,
  wordedIn,
} from './slice.ts'
import { moving, treeCheck, versioned } from './write-tree.ts'

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

/** What a reader gets of a row. */
const dressed = (slice: Slice): string[] => {
  const from = slice.leftOut.length > 0 ? 'shown' : 'row'
  const entries = [
    ...filesIn(slice).map(({ key, fileKey }) => `${fileKey}: made(row.${key}),`),
    ...richIn(slice).map(({ key, nullable }) =>
      nullable
        ? `${key}: row.${key} === null ? null : withLinks(row.${key}, actor),`
        : `${key}: withLinks(row.${key}, actor),`,
    ),
  ]
  if (from === 'row')
    return ['  return rows.map((row) => ({', '    ...row,', ...entries.map((one) => `    ${one}`), '  }))']
  return [
    '  return rows.map((row) => {',
    without('    ', slice.leftOut),
    ...(entries.length > 0
      ? ['    return {', '      ...shown,', ...entries.map((one) => `      ${one}`), '    }']
      : ['    return shown']),
    '  })',
  ]
}

/** Rows as their reader gets them. */
export const dressing = (slice: Slice): string => {
  const { type, leftOut } = slice
  const files = filesIn(slice)
  const keys = files.map(({ key }) => key)
  return file(
    leftOut.length > 0 && '/** Without what the table has beside them, which no list and no form knows. */',
    isHolding(slice) && '/** With links that are good for this reader, for ten minutes. */',
    call(
      '',
      'export const shownTo = async ',
      [
        files.length > 0 ? 'db: Db' : '_db: Db',
        isHolding(slice) ? 'actor: Actor' : '_actor: Actor',
        `rows: readonly Row<'${slice.key}'>[]`,
      ],
      `: Promise<${type}[]> => {`,
    ),
    files.length > 0 &&
      list(
        '  ',
        'const ids = rows.flatMap((row) => ',
        keys.map((key) => `row.${key}`),
        ')',
      ),
    files.length > 0 && '  const made = await filesHeld(db, actor, ids)',
    ...dressed(slice),
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

/** The fields of a draft whose values are of a dictionary. */
export const wording = (draft: string, columns: readonly (SliceColumn & { dictType: string })[]): string =>
  file(
    object('const worded = ', [
      `draft: ${draft}`,
      object(
        '  types: ',
        columns.map(({ key, dictType }) => `${key}: ${literal(dictType)}`),
      ).trim(),
    ]),
  )

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
    wordedIn(slice).length > 0 && '    await checkWords(trx, worded, draft)',
    split(slice, 'draft'),
    '    const after = await scoped(trx, who.actor)',
    `      .insertInto('${key}')`,
    `      .values({ ...${own}, ${clean}${dept}...authored(who) })`,
    '      .returningAll()',
    '      .executeTakeFirstOrThrow()',
    isHolding(slice) && '    await hold(trx, who, after)',
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
  const own = parts.length > 0 ? 'own' : 'edit'
  const clean = richIn(slice).length > 0 ? '...cleaned(edit), ' : ''
  const sets = parts.map(({ set }) => set)
  return file(
    call('', `export const update${type} = `, ['db: Db', `edit: ${type}Edit`, 'who: Who'], ': Promise<true> =>'),
    '  db.transaction().execute(async (trx) => {',
    isTree(slice) && '    await holdTree(trx)',
    '    const before = found(await find(trx, who.actor, edit.id).forUpdate().executeTakeFirst())',
    versioned(slice, 'edit.'),
    isTree(slice) && slice.columns.some(({ form, inUpdate }) => form === 'PARENT' && inUpdate)
      ? '    await checkParent(trx, who.actor, edit)'
      : undefined,
    school && slice.columns.some(({ key: one, inUpdate }) => one === school && inUpdate)
      ? `    await checkSchool(trx, who.actor, edit.${school})`
      : undefined,
    wordedIn(slice).length > 0 && '    await checkWords(trx, worded, edit, before)',
    split(slice, 'edit'),
    ...parts.map(({ set }) => `    const ${set}Before = await ${set}Of(trx, edit.id)`),
    '    const after = await scoped(trx, who.actor)',
    `      .updateTable('${key}')`,
    `      .set({ ...given(${own}), ${clean}...touched(who) })`,
    "      .where('id', '=', edit.id)",
    '      .returningAll()',
    '      .executeTakeFirstOrThrow()',
    isHolding(slice) && '    await hold(trx, who, after)',
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
  const { type, key, parts } = slice
  const sets = parts.map(({ set }) => set)
  return file(
    `export const delete${type} = (db: Db, id: number, who: Who): Promise<true> =>`,
    '  db.transaction().execute(async (trx) => {',
    isTree(slice) && '    await holdTree(trx)',
    '    const before = found(await find(trx, who.actor, id).forUpdate().executeTakeFirst())',
    isTree(slice) && '    await checkLeaf(trx, id)',
    ...parts.flatMap((part) => [
      `    const ${part.set} = await ${part.set}Of(trx, id)`,
      `    await ${writerOf(part)}(trx, who, id, [])`,
    ]),
    `    await scoped(trx, who.actor).deleteFrom('${key}').where('id', '=', id).execute()`,
    isHolding(slice) && '    await letGo(trx, who, id)',
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
    wordedIn(slice).length > 0 && wording(slice.formType, wordedIn(slice)),
    isHolding(slice) && holding(slice),
    creating(slice),
    updating(slice),
    isMovable(slice) && moving(slice),
    deleting(slice),
  ]
    .filter(Boolean)
    .join('\n')
