import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { deviceGuideFile, deviceGuideText } from './device-messages.ts'
import { read, root } from './source-tree.ts'

/** Tracked and new files that exist, relative to the root. */
const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '--deduplicate'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => file && existsSync(join(root, file)))
const documents = files.filter((file) => file.endsWith('.md'))

/** Documents whose paths must all be complete. */
const guides = ['ARCHITECTURE.md', 'CONTRIBUTING.md', 'docs/README.md']

const all = (text: string, pattern: RegExp): string[] => [...text.matchAll(pattern)].map(([, found = '']) => found)

/** The anchor of a heading as GitHub makes it. */
const slug = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-')

const isBroken = (file: string, target: string): boolean => {
  const [path = '', anchor] = target.split('#')
  const found = path === '' ? file : join(dirname(file), path)
  if (!existsSync(join(root, found))) return true
  return anchor !== undefined && !all(read(found), /^#+ (.+)$/gm).some((heading) => slug(heading) === anchor)
}

/** A path with a placeholder, like `NNNN_name.sql`. */
const isTemplate = (path: string): boolean => path.includes('NNN')

describe('docs/devices.md', () => {
  it('prints the messages of packages/protocol as they are now (npm run device-messages)', () => {
    expect(readFileSync(deviceGuideFile, 'utf8')).toBe(deviceGuideText())
  })
})

describe('documents', () => {
  it('finds the documents it checks', () => {
    expect(documents).toEqual(expect.arrayContaining([...guides, 'README.md', 'CHANGELOG.md']))
  })

  it('links only to files and headings that exist', () => {
    const broken = documents.flatMap((file) =>
      all(read(file), /\]\(([^)\s]+)\)/g)
        .filter((target) => !/^[a-z]+:/.test(target) && isBroken(file, target))
        .map((target) => `${file}: ${target}`),
    )
    expect(broken).toEqual([])
  })

  it('names a decision by its number and its title in kebab-case', () => {
    const misnamed = documents
      .filter((file) => file.startsWith('docs/decisions/'))
      .filter((file) => {
        const [, number, title = ''] = /^# (\d{3}) (.+)\n/.exec(read(file)) ?? []
        const kebab = title
          .toLowerCase()
          .replaceAll(/["'`]/g, '')
          .replaceAll(/[^a-z0-9]+/g, '-')
          .replaceAll(/^-|-$/g, '')
        return basename(file) !== `${number}-${kebab}.md`
      })
    expect(misnamed).toEqual([])
  })

  it('gives every decision a number of its own', () => {
    const numbers = files.flatMap((file) => /^docs\/decisions\/(\d{3})-/.exec(file)?.[1] ?? [])
    expect(numbers.filter((number, i) => numbers.indexOf(number) !== i)).toEqual([])
  })

  it('mentions only paths that exist in the guides', () => {
    const missing = guides.flatMap((file) =>
      all(read(file), /(?<![\w/.-])((?:apps|packages|tools|e2e|bench|docs)\/[\w./-]*\w)/g)
        .filter(
          (path) => !isTemplate(path) && !existsSync(join(root, path)) && !existsSync(join(root, dirname(file), path)),
        )
        .map((path) => `${file}: ${path}`),
    )
    expect(missing).toEqual([])
  })

  it('mentions only source files that exist in any document', () => {
    const missing = documents.flatMap((file) =>
      all(read(file), /`([\w./-]+\.(?:ts|tsx|mjs|sql))`/g)
        .filter((name) => !isTemplate(name) && !files.some((file) => file === name || file.endsWith(`/${name}`)))
        .map((name) => `${file}: ${name}`),
    )
    expect(missing).toEqual([])
  })
})
