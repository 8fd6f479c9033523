import { sourceFile, literal } from '../server/source-text.ts'
import type { CrudModule } from '../server/crud-module.ts'

/** Texts fill in what stands in braces, and a dollar names other texts: a name is only a name. */
const name = (title: string): string => title.replaceAll(/[{}$]/g, '')

export const writeZh = ({ entity, table, readOnly: looked }: CrudModule): string => {
  const title = name(table.title)
  if (looked) return sourceFile(`export const ${entity} = {`, `  none: ${literal(`没有${title}`)},`, '}')
  return sourceFile(
    `export const ${entity} = {`,
    `  none: ${literal(`还没有${title}，请新增`)},`,
    `  new: ${literal(`新增${title}`)},`,
    `  edit: ${literal(`编辑${title}`)},`,
    '}',
  )
}

export const writeEn = ({ entity, table, files, readOnly: looked }: CrudModule): string => {
  const title = name(table.titleEn)
  const depth = files.en.slice('apps/web/src/texts/'.length).split('/').length - 1
  const up = '../'.repeat(depth)
  return sourceFile(
    `import type { SameKeys } from '${up}same-keys.ts'`,
    `import type { ${entity} as zh } from '${up}${files.zh.slice('apps/web/src/texts/'.length)}'`,
    '',
    `export const ${entity}: SameKeys<typeof zh> = {`,
    ...(looked
      ? [`  none: ${literal(`${title}: there is nothing`)},`]
      : [
          `  none: ${literal(`${title}: nothing yet; create the first one`)},`,
          `  new: ${literal(`${title}: new`)},`,
          `  edit: ${literal(`${title}: edit`)},`,
        ]),
    '}',
  )
}
