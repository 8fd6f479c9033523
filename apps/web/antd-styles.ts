import { createRequire } from 'node:module'
import { ConfigProvider, type ThemeConfig } from 'antd'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { type ESTree, type Plugin, Visitor } from 'vite'
import { antdSamples } from './antd-samples.ts'

// The very copy that the kit itself writes its styles with.
const { createCache, StyleProvider }: typeof import('@ant-design/cssinjs') = createRequire(
  createRequire(import.meta.url).resolve('antd'),
)('@ant-design/cssinjs')

/** What the kit keeps of the styles of a component: their text, and their animations by name. */
type CachedStyle = readonly [text: string, id: string, animations: Record<string, string>]

/**
 * The kit's styles by component, as text. Colors and sizes are variables in them, which the page sets for its theme, so
 * they are the same for every theme.
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

/** What every part of the kit stands on; it comes with the one file that would write a part of it. */
const SHARED = 'Shared'
const shared = `import '${addressOf(SHARED)}'\nexport default () => {}`

/** Would redraw every pagination; the kit asks for it only with a token that we do not set. */
const WIREFRAME = 'Pagination-bordered'

const makers = new Set(['genStyleHooks', 'genSubStyleComponent', 'genComponentStyleHook'])

/** `'Button'` or `['Button', 'compact']`, as the kit names the styles of both. */
const nameOf = (node: ESTree.Argument | undefined): string => {
  const parts = node?.type === 'ArrayExpression' ? node.elements : [node, node]
  return parts.map((part) => (part?.type === 'Literal' ? part.value : '')).join('-')
}

type Made = { name: string; start: number; end: number }

/** Where a file of the kit makes styles: of what, and the function that would write them in the browser. */
const madeIn = (program: ESTree.Program): Made[] => {
  const made: Made[] = []
  new Visitor({
    CallExpression: ({ callee, arguments: [what, write] }) => {
      if (callee.type !== 'Identifier' || !makers.has(callee.name) || !write) return
      made.push({ name: nameOf(what), start: write.start, end: write.end })
    },
  }).visit(program)
  return made
}

/**
 * Styles of the kit as style sheets beside the chunks that need them, in place of the code that would write them in
 * every browser anew. They lie in a layer, so that ours count more in whatever order they come.
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
    // Not earlier: most of what is read is not used in the end.
    generateBundle: (_options, bundle) => {
      const used = Object.values(bundle).flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []))
      const missing = used.filter((id) => SHEET.test(id) && !sheets.has(nameIn(id)) && nameIn(id) !== WIREFRAME)
      if (missing.length > 0) throw new Error(`kit-gallery.ts shows nothing with the styles of ${missing.map(nameIn)}`)
    },
  }
}
