const named: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

const decodeEntity = (whole: string, name: string): string => {
  if (!name.startsWith('#')) return named[name] ?? whole
  const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1))
  return code <= 0x10ffff ? String.fromCodePoint(code) : whole
}

/** The text of XML without markup. */
const decodeXmlText = (text: string): string =>
  text.includes('&') ? text.replace(/&(#?\w{1,10});/g, decodeEntity) : text

/** Longer than any tag of a spreadsheet; the search for attributes takes more than linear time. */
const MAX_TAG_CHARS = 16_384

/** `inner`: undefined for an element without content. `end`: where the element ends in the text. */
export type XmlElement = { tag: string; inner: string | undefined; start: number; end: number }

const openings = new Map<string, RegExp>()
const openingOf = (name: string): RegExp => {
  const known = openings.get(name) ?? new RegExp(`<((?:[\\w.-]{1,30}:)?${name})(?=[\\s/>])`, 'g')
  openings.set(name, known)
  return known
}

/**
 * The complete elements of a name, in order; elements of one name do not nest. Linear in the length of the text,
 * whatever its content. Throws RangeError for a tag that is too long.
 */
export function* xmlElements(xml: string, name: string): Generator<XmlElement> {
  const opening = new RegExp(openingOf(name))
  for (let found = opening.exec(xml); found; found = opening.exec(xml)) {
    const close = xml.indexOf('>', opening.lastIndex)
    if (close < 0) return
    if (close - opening.lastIndex > MAX_TAG_CHARS) throw new RangeError('a tag is too long')
    const tag = xml.slice(opening.lastIndex, close)
    const ending = `</${found[1]}>`
    const isEmpty = tag.endsWith('/')
    const innerEnd = isEmpty ? close : xml.indexOf(ending, close)
    if (innerEnd < 0) return
    const end = isEmpty ? close + 1 : innerEnd + ending.length
    yield { tag, inner: isEmpty ? undefined : xml.slice(close + 1, innerEnd), start: found.index, end }
    opening.lastIndex = end
  }
}

/** The attributes of a tag by name, without the prefix of a namespace. */
export const parseAttributes = (tag: string): Record<string, string> => {
  const attributes: Record<string, string> = {}
  for (const [, name = '', double, single] of tag.matchAll(/(?:[\w.-]+:)?([\w.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g))
    attributes[name] = decodeXmlText(double ?? single ?? '')
  return attributes
}

/** The attributes of each element of this name, also of those with children. */
export const listTags = (xml: string, name: string): Record<string, string>[] => {
  const tags: Record<string, string>[] = []
  const opening = new RegExp(openingOf(name))
  for (let found = opening.exec(xml); found; found = opening.exec(xml)) {
    const close = xml.indexOf('>', opening.lastIndex)
    if (close < 0) break
    if (close - opening.lastIndex > MAX_TAG_CHARS) throw new RangeError('a tag is too long')
    tags.push(parseAttributes(xml.slice(opening.lastIndex, close)))
    opening.lastIndex = close
  }
  return tags
}

/** ECMA-376, ST_Xstring: a character that XML cannot contain is written as `_x000D_`. */
const decodeEscapes = (text: string): string =>
  text.includes('_x')
    ? text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    : text

const withoutElements = (xml: string, name: string): string => {
  let [kept, at] = ['', 0]
  for (const { start, end } of xmlElements(xml, name)) {
    kept += xml.slice(at, start)
    at = end
  }
  return kept + xml.slice(at)
}

/** The text of a string element (`si`, `is`): its concatenated runs, without pronunciation hints (`rPh`). */
export const parseRichText = (xml: string): string => {
  const visible = xml.includes('rPh') ? withoutElements(xml, 'rPh') : xml
  let text = ''
  for (const { inner = '' } of xmlElements(visible, 't')) text += decodeXmlText(inner)
  return decodeEscapes(text)
}

export const parseValueText = (xml: string): string => decodeEscapes(decodeXmlText(xml))
