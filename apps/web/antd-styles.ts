import { createRequire } from 'node:module'
import { ConfigProvider, type ThemeConfig } from 'antd'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { type ESTree, type Plugin, Visitor } from 'vite'
import { antdSamples } from './antd-samples.ts'

// The same copy of the module that antd writes its styles with.
const { createCache, StyleProvider }: typeof import('@ant-design/cssinjs') = createRequire(
  createRequire(import.meta.url).resolve('antd'),
)('@ant-design/cssinjs')

/** What antd caches of a component's styles: their text, and their animations by name. */
type CachedStyle = readonly [text: string, id: string, animations: Record<string, string>]

/**
 * antd's styles by component, as text. Colors and sizes are variables that the page sets for its theme, so they are the
 * same for every theme.
 */
export const extractAntdStyles = (theme: ThemeConfig = {}): ReadonlyMap<string, string> => {
  const cache = createCache()
  const dressed = createElement(ConfigProvider, { theme: { ...theme, hashed: false, cssVar: {} } }, ...antdSamples())
  renderToStaticMarkup(createElement(StyleProvider, { cache }, dressed))
  const sheets = new Map<string, string>()
  for (const [path, [, kept]] of cache.cache as Map<string, [number, CachedStyle]>) {
    const [kind, , name = ''] = path.split('%')
    if (kind !== 'style') continue
    const [text, , animations] = kept
    sheets.set(name, `${sheets.get(name) ?? ''}${text}${Object.values(animations).join('')}`)
  }
  return sheets
}

const SHEET = /^virtual:kit-sheet\/(.+)\.css$/
const addressOf = (name: string) => `virtual:kit-sheet/${name}.css`

/** The base of every component; it is in the one file that would generate it. */
const SHARED = 'Shared'
const shared = `import '${addressOf(SHARED)}'\nexport default () => {}`

/** Would restyle every pagination; antd needs it only with a token that we do not set. */
const WIREFRAME = 'Pagination-bordered'

const makers = new Set(['genStyleHooks', 'genSubStyleComponent', 'genComponentStyleHook'])

/** `'Button'` or `['Button', 'compact']`, antd's name of the styles. */
const nameOf = (node: ESTree.Argument | undefined): string => {
  const parts = node?.type === 'ArrayExpression' ? node.elements : [node, node]
  return parts.map((part) => (part?.type === 'Literal' ? part.value : '')).join('-')
}

type Made = { name: string; start: number; end: number }

/** Where a file of antd generates styles: the component, and the function that would do so in the browser. */
const madeIn = (program: ESTree.Program): Made[] => {
  const made: Made[] = []
  new Visitor({
    CallExpression: ({ callee, arguments: [item, write] }) => {
      if (callee.type !== 'Identifier' || !makers.has(callee.name) || !write) return
      made.push({ name: nameOf(item), start: write.start, end: write.end })
    },
  }).visit(program)
  return made
}

/**
 * antd's styles as style sheets beside the chunks that need them, instead of the code that would generate them in every
 * browser. They are in a layer, so that ours win in any order.
 */
export const antdStyles = (): Plugin => {
  let sheets: ReadonlyMap<string, string> = new Map()
  const nameIn = (id: string) => SHEET.exec(id)?.[1] ?? ''
  return {
    name: 'tocsin:kit-styles',
    apply: 'build',
    buildStart: () => {
      sheets = extractAntdStyles()
    },
    resolveId: { filter: { id: SHEET }, handler: (id) => ({ id, moduleSideEffects: true }) },
    load: { filter: { id: SHEET }, handler: (id) => `@layer kit{${sheets.get(nameIn(id)) ?? ''}}` },
    transform: {
      filter: { id: /[\\/]antd[\\/]es[\\/]/, code: /\b(gen(Style|SubStyle|ComponentStyle)|useStyleRegister)\w*\(/ },
      handler(code, id) {
        if (id.endsWith('useResetIconStyle.js')) return { code: shared, map: null }
        const made = madeIn(this.parse(code))
        const names = new Set(made.map(({ name }) => name))
        const rest = made.reduceRight(
          (text, { start, end }) => `${text.slice(0, start)}undefined${text.slice(end)}`,
          code,
        )
        return { code: [...names].map((name) => `import '${addressOf(name)}'\n`).join('') + rest, map: null }
      },
    },
    // Not earlier: most of what is parsed is not used in the end.
    generateBundle: (_options, bundle) => {
      const used = Object.values(bundle).flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []))
      const missing = used.filter((id) => SHEET.test(id) && !sheets.has(nameIn(id)) && nameIn(id) !== WIREFRAME)
      if (missing.length > 0) throw new Error(`antd-samples.ts has no sample with the styles of ${missing.map(nameIn)}`)
    },
  }
}
