import { call, file, fitted, importing, literal, without } from './layout.ts'
import { type Part, type Slice, sortOf, wordedIn } from './slice.ts'
import { wording, writerOf } from './write-change.ts'

const reading = ({ type, set, key, join, columns, leftOut }: Part): string => {
  const order = sortOf({ columns }) ? ".orderBy('sort').orderBy('id')" : ".orderBy('id')"
  const from = `db.selectFrom('${key}').selectAll().where('${join.key}', '=', ${join.key})`
  return file(
    '/** The rows of one that is in sight. */',
    call('', `export const ${set}Of = async `, ['db: Db', `${join.key}: number`], `: Promise<${type}[]> => {`),
    fitted(`  const rows = await ${from}${order}.execute()`, [
      '  const rows = await db',
      `    .selectFrom('${key}')`,
      '    .selectAll()',
      `    .where('${join.key}', '=', ${join.key})`,
      ...order.split(/(?=\.orderBy)/).map((one) => `    ${one}`),
      '    .execute()',
    ]),
    ...(leftOut.length > 0
      ? ['  return rows.map((row) => {', without('    ', [join, ...leftOut]), '    return shown', '  })']
      : [`  return rows.map(({ ${join.key}: _${join.key}, ...row }) => row)`]),
    '}',
  )
}

const writing = (part: Part): string => {
  const { type, set, key, join, table } = part
  const worded = wordedIn(part).length > 0
  return file(
    '/** Makes them what the form says: those with an id are changed, those without are new, those not named go. */',
    call(
      '',
      `export const ${writerOf(part)} = async `,
      ['trx: Db', 'who: Who', `${join.key}: number`, `drafts: readonly ${type}Draft[]`],
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
          `    await checkWords(trx, { ...worded, at: \`${set}.\${at}.\` }, draft, was)`,
        ]
      : []),
    '    if (id === undefined) {',
    `      const values = { ...draft, ${join.key}, ...authored(who) }`,
    `      await trx.insertInto('${key}').values(values).execute()`,
    '      continue',
    '    }',
    '    const [changed] = await trx',
    `      .updateTable('${key}')`,
    '      .set({ ...given(draft), ...touched(who) })',
    "      .where('id', '=', id)",
    `      .where('${join.key}', '=', ${join.key})`,
    '      .execute()',
    `    if (changed?.numUpdatedRows !== 1n) throw new Refusal(codes.notFound, { what: ${literal(table.title)} })`,
    '  }',
    '}',
  )
}

/** Rows that belong to another: read and written with it, under its sight and its version. */
export const writePart = ({ module }: Slice, part: Part): string =>
  file(
    "import { codes } from '@tocsin/contract/codes'",
    wordedIn(part).length > 0
      ? importing([`type ${part.type}`, `${part.type}Draft`], `@tocsin/contract/${module}`)
      : importing([part.type, `${part.type}Draft`], `@tocsin/contract/${module}`).replace(/^import/, 'import type'),
    wordedIn(part).length > 0 && "import { checkWords } from '#areas/system/dict/words'",
    "import { authored, given, touched, type Who } from '#areas/system/edit'",
    "import type { Db } from '#db/db'",
    "import { Refusal } from '#http/refusal'",
    '',
    wordedIn(part).length > 0 && wording(`${part.type}Draft`, wordedIn(part)),
    reading(part),
    writing(part).trimEnd(),
  )
