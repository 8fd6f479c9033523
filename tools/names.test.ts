import { describe, expect, it } from 'vitest'
import { read, sourceFiles } from './source-tree.ts'

const retired = new Set(read('tools/retired-names.txt').split('\n').filter(Boolean))

/** Names without a meaning of their own: pronouns, bare participles, question words. */
const meaningless = new Set(
  [
    'he',
    'his',
    'she',
    'her',
    'it',
    'mine',
    'yours',
    'theirs',
    'them',
    'who',
    'whose',
    'what',
    'which',
    'one',
    'other',
  ].concat(['told', 'said', 'spoken', 'kept', 'held', 'given', 'taken', 'done', 'thing', 'things', 'stuff']),
)

const exported = /^export (?:declare )?(?:async )?(?:const|let|function\*?|class|type|interface|enum) ([\w$]+)/gm
const exportLists = /^export (?:type )?\{([^}]*)\}/gm

/** Names under which other files know the exports of a file. */
const exportedNames = (file: string): string[] => {
  const text = read(file)
  const declared = [...text.matchAll(exported)].map((match) => match[1] ?? '')
  const listed = [...text.matchAll(exportLists)].flatMap((match) =>
    (match[1] ?? '').split(',').map((entry) =>
      entry
        .trim()
        .replace(/^.*\bas\s+/, '')
        .replace(/^type\s+/, ''),
    ),
  )
  return [...declared, ...listed].filter(Boolean)
}

const offenders = (isOffending: (name: string) => boolean): string[] =>
  sourceFiles
    .filter((file) => /\.(ts|tsx|mjs)$/.test(file))
    .flatMap((file) =>
      exportedNames(file)
        .filter(isOffending)
        .map((name) => `${file}: ${name}`),
    )

describe('exported names', () => {
  it('uses no retired name', () => {
    expect(offenders((name) => retired.has(name))).toEqual([])
  })

  it('has no single letter and no pronoun as a name', () => {
    expect(offenders((name) => name.length === 1 || meaningless.has(name.toLowerCase()))).toEqual([])
  })

  it('finds names in declarations and in lists', () => {
    expect(exportedNames('tools/names.test.ts')).toEqual([])
    expect(exportedNames('tools/source-tree.ts')).toEqual(['root', 'sourceFiles', 'read', 'isTest'])
  })
})
