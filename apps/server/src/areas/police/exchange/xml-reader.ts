/** An element with its children and its own text; the namespace is resolved. */
export type XmlElement = { name: string; namespace: string; children: XmlElement[]; text: string }

export class XmlError extends Error {}

const MAX_DEPTH = 20
const MAX_ELEMENTS = 5000

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/** The five entities of XML and character references; there is no document type that could define others. */
const decodeText = (text: string): string =>
  text.replaceAll(/&([^;&]{0,10};?)/g, (whole, given: string) => {
    const name = given.endsWith(';') ? given.slice(0, -1) : ''
    const [, hex, decimal] = /^#(?:x([\da-f]{1,6})|(\d{1,7}))$/i.exec(name) ?? []
    const code = hex ? Number.parseInt(hex, 16) : Number(decimal ?? Number.NaN)
    if (code > 0 && code <= 0x10_ff_ff) return String.fromCodePoint(code)
    const character = Object.hasOwn(entities, name) ? entities[name] : undefined
    if (character === undefined) throw new XmlError(`${whole.slice(0, 12)} is no entity of XML`)
    return character
  })

type Scope = Readonly<Record<string, string>>
type Open = { element: XmlElement; qualified: string; scope: Scope }

const ATTRIBUTE = /\s+([\w.:-]+)\s*=\s*(?:"([^"<]*)"|'([^'<]*)')/gy

const readAttributes = (source: string, scope: Scope): Scope => {
  const prefixes: Record<string, string> = {}
  let end = 0
  for (const match of source.matchAll(ATTRIBUTE)) {
    const [whole, name = '', double, single] = match
    end = match.index + whole.length
    const value = decodeText(double ?? single ?? '')
    if (name === 'xmlns') prefixes[''] = value
    else if (name.startsWith('xmlns:')) prefixes[name.slice(6)] = value
  }
  if (source.slice(end).trim() !== '') throw new XmlError('an attribute is not well-formed')
  return { ...scope, ...prefixes }
}

const openElement = (qualified: string, attributes: string, outer: Scope): Open => {
  const scope = readAttributes(attributes, outer)
  const [prefix, name] = qualified.includes(':') ? qualified.split(':', 2) : ['', qualified]
  const namespace = scope[prefix ?? '']
  if (namespace === undefined && prefix !== '') throw new XmlError(`the prefix ${prefix} has no namespace`)
  return { element: { name: name ?? '', namespace: namespace ?? '', children: [], text: '' }, qualified, scope }
}

const TOKEN =
  /<\?xml\s[^>]*\?>|<!--[\s\S]*?-->|<!\[CDATA\[([\s\S]*?)\]\]>|<\/([\w.:-]+)\s*>|<([\w.:-]+)((?:\s+[\w.:-]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(\/?)>|([^<]+)/gy

/** The document under construction: its root, and the elements that are open. */
const createBuilder = () => {
  const stack: Open[] = []
  let root: XmlElement | undefined
  let count = 0
  const addText = (text: string) => {
    const parent = stack.at(-1)
    if (parent) parent.element.text += text
    else if (text.trim() !== '') throw new XmlError('there is text outside of the root element')
  }
  const open = (qualified: string, attributes: string, isEmpty: boolean) => {
    const parent = stack.at(-1)
    const opened = openElement(qualified, attributes, parent?.scope ?? {})
    count += 1
    if (count > MAX_ELEMENTS || stack.length >= MAX_DEPTH) throw new XmlError('the document is too large')
    if (parent) parent.element.children.push(opened.element)
    else if (root) throw new XmlError('there is a second root element')
    else root = opened.element
    if (!isEmpty) stack.push(opened)
  }
  const close = (qualified: string) => {
    if (stack.pop()?.qualified !== qualified) throw new XmlError(`</${qualified}> ends no open element`)
  }
  const finish = (): XmlElement => {
    if (!root || stack.length > 0) throw new XmlError('the document ends early')
    return root
  }
  return { addText, open, close, finish }
}

/**
 * Reads a document without a document type: no entity is defined and nothing is fetched, so that a message can neither
 * read files nor grow. Comments are skipped.
 */
export const readXml = (source: string): XmlElement => {
  const builder = createBuilder()
  const text = source.replace(/^\uFEFF/, '')
  let end = 0
  for (const match of text.matchAll(TOKEN)) {
    const [whole, cdata, closed, opened, attributes = '', slash, plain] = match
    end = match.index + whole.length
    if (cdata !== undefined) builder.addText(cdata)
    else if (closed !== undefined) builder.close(closed)
    else if (opened !== undefined) builder.open(opened, attributes, slash === '/')
    else if (plain !== undefined) builder.addText(decodeText(plain))
    else if (whole.startsWith('<?') && match.index > 0) throw new XmlError('the declaration is not at the start')
  }
  if (end < text.length) throw new XmlError(`${text.slice(end, end + 20).trim()} is not accepted`)
  return builder.finish()
}
