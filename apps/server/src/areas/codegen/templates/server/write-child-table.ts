import { call, sourceFile, wrapLine, importLine, literal, omitColumns } from './source-text.ts'
import { type ChildTable, type CrudModule, sortColumn, dictColumns } from './crud-module.ts'
import { emitDictChecks, writerOf } from './write-change.ts'

const reading = ({ type, set, key, join, columns, leftOut }: ChildTable): string => {
  const order = sortColumn({ columns }) ? ".orderBy('sort').orderBy('id')" : ".orderBy('id')"
  const from = `db.selectFrom('${key}').selectAll().where('${join.key}', '=', ${join.key})`
  return sourceFile(
    '/** The rows of one visible parent. */',
    call('', `export const ${set}Of = async `, ['db: Db', `${join.key}: number`], `: Promise<${type}[]> => {`),
    wrapLine(`  const rows = await ${from}${order}.execute()`, [
      '  const rows = await db',
      `    .selectFrom('${key}')`,
      '    .selectAll()',
      `    .where('${join.key}', '=', ${join.key})`,
      ...order.split(/(?=\.orderBy)/).map((item) => `    ${item}`),
      '    .execute()',
    ]),
    ...(leftOut.length > 0
      ? ['  return rows.map((row) => {', omitColumns('    ', [join, ...leftOut]), '    return shown', '  })']
      : [`  return rows.map(({ ${join.key}: _${join.key}, ...row }) => row)`]),
    '}',
  )
}

const writing = (part: ChildTable): string => {
  const { type, set, key, join, table } = part
  const worded = dictColumns(part).length > 0
  return sourceFile(
    '/** Saves the rows of the form: updates those with an id, inserts those without, deletes the others. */',
    call(
      '',
      `export const ${writerOf(part)} = async `,
      ['trx: Db', 'who: Caller', `${join.key}: number`, `drafts: readonly ${type}Draft[]`],
      ': Promise<void> => {',
    ),
    '  const kept = drafts.flatMap(({ id }) => (id === undefined ? [] : [id]))',
    '  await trx',
    `    .deleteFrom('${key}')`,
    `    .where('${join.key}', '=', ${join.key})`,
    "    .$if(kept.length > 0, (q) => q.where('id', 'not in', kept))",
    '    .execute()',
    worded && `  const before = await ${set}Of(trx, ${join.key})`,
    worded
      ? '  for (const [at, { id, ...draft }] of drafts.entries()) {'
      : '  for (const { id, ...draft } of drafts) {',
    ...(worded
      ? [
          '    const was = before.find((one) => one.id === id)',
          `    await checkDictValues(trx, { ...worded, at: \`${set}.\${at}.\` }, draft, was)`,
        ]
      : []),
    '    if (id === undefined) {',
    `      const values = { ...draft, ${join.key}, ...createStamp(who) }`,
    `      await trx.insertInto('${key}').values(values).execute()`,
    '      continue',
    '    }',
    '    const [changed] = await trx',
    `      .updateTable('${key}')`,
    '      .set({ ...changedColumns(draft), ...updateStamp(who) })',
    "      .where('id', '=', id)",
    `      .where('${join.key}', '=', ${join.key})`,
    '      .execute()',
    `    if (changed?.numUpdatedRows !== 1n) throw new BusinessError(codes.notFound, { what: ${literal(table.title)} })`,
    '  }',
    '}',
  )
}

/** Emits a child table: read and written with its parent, under the parent's visibility and version. */
export const writeChildTable = ({ module }: CrudModule, part: ChildTable): string =>
  sourceFile(
    "import { codes } from '@tocsin/contract/codes'",
    dictColumns(part).length > 0
      ? importLine([`type ${part.type}`, `${part.type}Draft`], `@tocsin/contract/${module}`)
      : importLine([part.type, `${part.type}Draft`], `@tocsin/contract/${module}`).replace(/^import/, 'import type'),
    dictColumns(part).length > 0 && "import { checkDictValues } from '#areas/audit/entity/dict-values'",
    "import { changedColumns, createStamp, updateStamp } from '#areas/audit/edit-transaction'",
    "import type { Db } from '#db/db'",
    "import { BusinessError } from '#http/business-error'",
    "import type { Caller } from '#http/route'",
    '',
    dictColumns(part).length > 0 && emitDictChecks(`${part.type}Draft`, dictColumns(part)),
    reading(part),
    writing(part).trimEnd(),
  )
