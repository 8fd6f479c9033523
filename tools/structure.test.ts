import { dirname, join, normalize } from 'node:path'
import { describe, expect, it } from 'vitest'
import { isTest, read, sourceFiles } from './source-tree.ts'

/** The order in which areas may import each other, the same on both sides (DESIGN 4). */
const areas = [
  'audit',
  'settings',
  'files',
  'access',
  'notices',
  'school',
  'device',
  'security',
  'notify',
  'alarm',
  'police',
  'supervise',
  'announcement',
  'insight',
  'codegen',
  'demo',
]

/** Imports against the order that remain to be removed; add nothing here. */
const uncut: string[] = []

/** Returns the module of a file; the import table uses modules. */
const moduleOf = (file: string): string => {
  const [, area] = /^(?:apps\/(?:server|web)\/src\/areas|packages\/contract\/src)\/(\w+)\//.exec(file) ?? []
  // all.ts imports every area; only the server and tests import it.
  if (file === 'packages/contract/src/all.ts') return 'contract-all'
  // Error codes are a folder of the root.
  if (file.startsWith('packages/contract/src/codes/')) return 'contract'
  if (file.startsWith('packages/contract/')) return area ? `contract/${area}` : 'contract'
  if (file.startsWith('packages/protocol/')) return 'protocol'
  const side = /^apps\/(server|web)\/src\//.exec(file)?.[1]
  if (!side) return file.split('/')[0] ?? ''
  if (area) return `${side}/areas/${area}`
  const part = file.slice(`apps/${side}/src/`.length).split('/')
  return part.length > 1 ? `${side}/${part[0]}` : `${side}/${(part[0] ?? '').replace(/\.\w+$/, '')}`
}

/** Modules that every part of the server may import: metrics, and the points at which a test may kill it. */
const anywhere = ['server/metrics', 'server/fault-injection']

const anyArea = (side: string) => areas.map((area) => `${side}/areas/${area}`)
const contract = ['contract', 'contract/compat', ...areas.map((area) => `contract/${area}`)]

/** Which module may import which, besides itself (codebase 7 with DESIGN's choices). */
const allowed: Record<string, readonly string[]> = {
  protocol: [],
  contract: [],
  'server/db': [...contract, 'server/config'],
  'server/http': [...contract, 'server/db', 'server/config', 'server/store'],
  'server/store': [],
  // How a setting is read; the settings area changes it.
  'server/settings': [...contract, 'server/db', 'server/http', 'server/config'],
  'server/jobs': [...contract, 'server/db', 'server/config'],
  'server/spreadsheet': [...contract, 'server/db', 'server/http'],
  'server/live': [...contract, 'server/db', 'server/http', 'server/config'],
  'server/timer': [...contract, 'server/db', 'server/config'],
  'server/gateway': ['protocol', ...contract, 'server/db', 'server/http', 'server/config', ...anyArea('server')],
  'web/api': contract,
  'web/ui': [...contract, 'web/api', 'web/texts'],
  'web/texts': contract,
  'web/shell': [...contract, 'web/api', 'web/ui', 'web/texts'],
  // Only the contract's tables of texts: the sign-in page has no zod.
  'web/login': ['web/version', 'contract'],
}

const serverArea = (area: string): string[] => [
  ...contract,
  'protocol',
  'server/db',
  'server/http',
  'server/jobs',
  'server/spreadsheet',
  'server/settings',
  'server/store',
  'server/timer',
  ...areas.slice(0, areas.indexOf(area)).map((earlier) => `server/areas/${earlier}`),
]
const webArea = (area: string): string[] => [
  ...contract,
  'web/api',
  'web/ui',
  'web/shell',
  'web/texts',
  ...areas.slice(0, areas.indexOf(area)).map((earlier) => `web/areas/${earlier}`),
]

const allowedFor = (module: string): readonly string[] | undefined => {
  const [side, kind, area] = module.split('/')
  if (kind === 'areas' && area) return side === 'web' ? webArea(area) : serverArea(area)
  if (side === 'contract' && kind)
    return ['contract', ...areas.slice(0, areas.indexOf(kind)).map((earlier) => `contract/${earlier}`)]
  return allowed[module]
}

const resolveImport = (file: string, target: string): string | undefined => {
  if (target.startsWith('.')) return normalize(join(dirname(file), target))
  if (target.startsWith('#')) {
    const side = file.split('/')[1]
    return `apps/${side}/src/${target.slice(1)}${/\.\w+$/.test(target) ? '' : '.ts'}`
  }
  const [, name, path] = /^@tocsin\/(\w+)\/(.+)$/.exec(target) ?? []
  return name ? `packages/${name}/src/${path}.ts` : undefined
}

const importsOf = (file: string): string[] =>
  [...read(file).matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].flatMap(([, target]) => {
    const found = target && resolveImport(file, target)
    return found ? [found] : []
  })

const edges = sourceFiles
  .filter((file) => /\.(ts|tsx)$/.test(file) && !isTest(file))
  .flatMap((file) => importsOf(file).map((target) => ({ file, from: moduleOf(file), target, to: moduleOf(target) })))

describe('imports', () => {
  it('finds the imports that it checks', () => {
    expect(edges.length).toBeGreaterThan(100)
  })

  it('import only the areas that the table allows', () => {
    const wrong = edges
      .filter(
        ({ from, to }) => from !== to && !anywhere.includes(to) && allowedFor(from) && !allowedFor(from)?.includes(to),
      )
      .map(({ file, target }) => `${file} -> ${target}`)
    expect(wrong.toSorted()).toEqual(uncut.toSorted())
  })

  it('names every area in the table', () => {
    const named = sourceFiles.flatMap((file) => /\/src\/areas\/(\w+)\//.exec(file)?.[1] ?? [])
    expect(named.filter((area) => !areas.includes(area))).toEqual([])
  })

  it('keep fastify in http and live, and SQL out of http except for the session', () => {
    const outside = sourceFiles.filter(
      (file) =>
        /^apps\/server\/src\/(areas|db|timer)\//.test(file) && !isTest(file) && /from 'fastify'/.test(read(file)),
    )
    expect(outside).toEqual([])
  })
})

describe('browser tests', () => {
  it('poll the page for its state, never check it once', () => {
    const looks =
      /\bexpect\(\s*await [^\n]*\.(count|is[A-Z]\w+|textContent|all\w*Texts?|innerText|inputValue|getAttribute)\(/
    const once = sourceFiles.filter((file) => /^e2e\/.*\.ts$/.test(file) && looks.test(read(file)))
    expect(once).toEqual([])
  })
})
