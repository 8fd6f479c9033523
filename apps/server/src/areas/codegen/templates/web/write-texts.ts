import { arrayLiteral, literal, sourceFile } from '../server/source-text.ts'
import type { CrudModule } from '../server/crud-module.ts'

/** Braces mark placeholders in a text and a dollar sign refers to other texts, so both are removed from a title. */
const plainTitle = (title: string): string => title.replaceAll(/[{}$]/g, '')

/** Emits the texts of the entity's screens, in both languages. */
export const writeTexts = ({ entity, table, files, readOnly }: CrudModule): string => {
  const [zh, en] = [plainTitle(table.title), plainTitle(table.titleEn)]
  const up = '../'.repeat(files.texts.slice('apps/web/src/texts/'.length).split('/').length - 1)
  const pair = (key: string, ...both: [zh: string, en: string]) =>
    arrayLiteral('  ', `${key}: `, both.map(literal), ',')
  return sourceFile(
    `import type { Topic } from '${up}topic.ts'`,
    '',
    `export const ${entity} = {`,
    ...(readOnly
      ? [pair('none', `没有${zh}`, `${en}: there is nothing`)]
      : [
          pair('none', `还没有${zh}，请新增`, `${en}: nothing yet; create the first one`),
          pair('new', `新增${zh}`, `${en}: new`),
          pair('edit', `编辑${zh}`, `${en}: edit`),
        ]),
    '} satisfies Topic',
  )
}
