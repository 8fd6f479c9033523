/** The line width of all source files, as the formatter counts it. */
const WIDTH = 120

const wide =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u

/** Columns of a line; Chinese characters take two. */
const widthOf = (line: string): number => [...line].reduce((sum, char) => sum + (wide.test(char) ? 2 : 1), 0)

export const fitsLine = (line: string): boolean => widthOf(line) <= WIDTH

/** One line when it fits, otherwise the wrapped form. */
export const wrapLine = (line: string, broken: readonly string[]): string => (fitsLine(line) ? line : broken.join('\n'))

/** Characters that end, hide or reverse a line, by their code points. */
const unprintable = (char: string): string => `\\u{${char.codePointAt(0)?.toString(16)}}`

/** A text as a TypeScript literal, with the quotes that need fewer escapes. */
export const literal = (text: string): string => {
  const escaped = text.replaceAll('\\', '\\\\').replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, unprintable)
  const single = text.split("'").length
  const double = text.split('"').length
  return single > double ? `"${escaped.replaceAll('"', '\\"')}"` : `'${escaped.replaceAll("'", "\\'")}'`
}

/** A text as an SQL literal, in which backslashes have no special meaning. */
export const sqlText = (text: string): string => `'${text.replaceAll("'", "''")}'`

/** A call with each argument on a line of its own when they do not fit on one. */
export const call = (indent: string, head: string, args: readonly string[], tail: string): string =>
  wrapLine(`${indent}${head}(${args.join(', ')})${tail}`, [
    `${indent}${head}(`,
    ...args.map((arg) => `${indent}  ${arg},`),
    `${indent})${tail}`,
  ])

/** An import with sorted names. */
export const importLine = (names: readonly string[], from: string): string =>
  wrapLine(`import { ${names.join(', ')} } from '${from}'`, [
    'import {',
    ...names.map((name) => `  ${name},`),
    `} from '${from}'`,
  ])

/** An object with each entry on a line of its own when they do not fit on one. */
export const objectLiteral = (head: string, entries: readonly string[]): string => {
  const indent = /^ */.exec(head)?.[0] ?? ''
  return wrapLine(`${head}{ ${entries.join(', ')} }`, [
    `${head}{`,
    ...entries.map((entry) => `${indent}  ${entry},`),
    `${indent}}`,
  ])
}

export const arrayLiteral = (indent: string, head: string, items: readonly string[], tail: string): string =>
  wrapLine(`${indent}${head}[${items.join(', ')}]${tail}`, [
    `${indent}${head}[`,
    ...items.map((item) => `${indent}  ${item},`),
    `${indent}]${tail}`,
  ])

/** Joins the lines of a file, without undefined and false ones; the file ends with a line break. */
export const sourceFile = (...parts: (string | undefined | false)[]): string =>
  `${parts.filter((part) => part !== undefined && part !== false).join('\n')}\n`
