import { capTimePattern, identifierPattern } from '@tocsin/contract/police/exchange'
import { CAP_NAMESPACE } from '#areas/alarm/cap/cap-document'
import { ExchangeError } from './exchange-error.ts'
import { readXml, type XmlElement, XmlError } from './xml-reader.ts'

/** One element of the schema, in the order of the schema. */
type Rule = {
  name: string
  isRequired?: true
  isRepeatable?: true
  values?: readonly string[]
  pattern?: RegExp
  isValid?: (text: string) => boolean
  /** Of a value that is not valid. */
  problem?: string
  children?: readonly Rule[]
}

const required = (name: string, more: Omit<Rule, 'name' | 'isRequired'> = {}): Rule => ({
  name,
  isRequired: true,
  ...more,
})
const optional = (name: string, more: Omit<Rule, 'name'> = {}): Rule => ({ name, ...more })
const repeated = (name: string, more: Omit<Rule, 'name'> = {}): Rule => ({ name, isRepeatable: true, ...more })

/** `xs:dateTime` has no 31 February, no year 0 and no zone beyond 14 hours; 24:00:00 is the end of a day. */
const isRealTime = (text: string): boolean => {
  const [, day = '', clock = '', hours, minutes] = /^(.*)T(.*)[-+](\d\d):([0-5]\d)$/.exec(text) ?? []
  const wall = `${day}T${clock === '24:00:00' ? '00:00:00' : clock}`
  const at = new Date(`${wall}Z`)
  const isOnCalendar = !Number.isNaN(at.getTime()) && at.toISOString().startsWith(wall) && !day.startsWith('0000')
  return isOnCalendar && Number(`${hours}${minutes}`) <= 1400
}

/** A pair of degrees in WGS 84. */
const isPosition = (pair = ''): boolean => {
  const [lat = Number.NaN, lng = Number.NaN] = pair.split(',').map(Number)
  return Math.abs(lat) <= 90 && Math.abs(lng) <= 180
}

/** A polygon ends where it begins. */
const isClosedRing = (text: string): boolean => {
  const pairs = text.split(/\s+/)
  return pairs[0] === pairs.at(-1) && pairs.every(isPosition)
}

const time = { pattern: capTimePattern, isValid: isRealTime, problem: 'is no time' }
const identifier = { pattern: identifierPattern }
const pairs = { children: [required('valueName'), required('value')] }
/** `sender,identifier,sent`, separated by white space. */
const references = { pattern: /^\s*[^\s,<&]+,[^\s,<&]+,[^\s,]+(?:\s+[^\s,<&]+,[^\s,<&]+,[^\s,]+)*\s*$/ }
const NUMBER = '-?\\d+(?:\\.\\d+)?'
/** `xs:decimal`, `xs:integer` and `xs:language`. */
const decimal = { pattern: /^[-+]?(?:\d+(?:\.\d*)?|\.\d+)$/ }
const integer = { pattern: /^[-+]?\d+$/ }
const language = { pattern: /^[a-z]{1,8}(?:-[a-z\d]{1,8})*$/i }
/** The only other namespace that the schema admits, and only at the end of the alert. */
const SIGNATURE_NAMESPACE = 'http://www.w3.org/2000/09/xmldsig#'

const categories = [
  'Geo',
  'Met',
  'Safety',
  'Security',
  'Rescue',
  'Fire',
  'Health',
  'Env',
  'Transport',
  'Infra',
  'CBRNE',
  'Other',
]
const responses = ['Shelter', 'Evacuate', 'Prepare', 'Execute', 'Avoid', 'Monitor', 'Assess', 'AllClear', 'None']

const area: readonly Rule[] = [
  required('areaDesc'),
  repeated('polygon', {
    pattern: new RegExp(`^${NUMBER},${NUMBER}(?:\\s+${NUMBER},${NUMBER}){3,}$`),
    isValid: isClosedRing,
    problem: 'is no closed ring of positions',
  }),
  repeated('circle', {
    pattern: new RegExp(`^${NUMBER},${NUMBER}\\s+\\d+(?:\\.\\d+)?$`),
    isValid: (text) => isPosition(text.split(/\s+/)[0]),
    problem: 'is no position',
  }),
  repeated('geocode', pairs),
  optional('altitude', decimal),
  optional('ceiling', decimal),
]

const resource: readonly Rule[] = [
  required('resourceDesc'),
  required('mimeType'),
  optional('size', integer),
  optional('uri'),
  optional('derefUri'),
  optional('digest'),
]

const info: readonly Rule[] = [
  optional('language', language),
  repeated('category', { isRequired: true, values: categories }),
  required('event'),
  repeated('responseType', { values: responses }),
  required('urgency', { values: ['Immediate', 'Expected', 'Future', 'Past', 'Unknown'] }),
  required('severity', { values: ['Extreme', 'Severe', 'Moderate', 'Minor', 'Unknown'] }),
  required('certainty', { values: ['Observed', 'Likely', 'Possible', 'Unlikely', 'Unknown'] }),
  optional('audience'),
  repeated('eventCode', pairs),
  optional('effective', time),
  optional('onset', time),
  optional('expires', time),
  optional('senderName'),
  optional('headline'),
  optional('description'),
  optional('instruction'),
  optional('web'),
  optional('contact'),
  repeated('parameter', pairs),
  repeated('resource', { children: resource }),
  repeated('area', { children: area }),
]

/** The schema of CAP 1.2 (OASIS Standard, 1 July 2010, CAP-v1.2.xsd), without the signature. */
const alert: readonly Rule[] = [
  required('identifier', identifier),
  required('sender', identifier),
  required('sent', time),
  required('status', { values: ['Actual', 'Exercise', 'System', 'Test', 'Draft'] }),
  required('msgType', { values: ['Alert', 'Update', 'Cancel', 'Ack', 'Error'] }),
  optional('source'),
  required('scope', { values: ['Public', 'Restricted', 'Private'] }),
  optional('restriction'),
  optional('addresses'),
  repeated('code'),
  optional('note'),
  optional('references', references),
  optional('incidents'),
  repeated('info', { children: info }),
]

const checkValue = ({ text, children }: XmlElement, rule: Rule, path: string): void => {
  const { values, pattern, isValid, problem = 'has a wrong format' } = rule
  if (children.length > 0) throw new ExchangeError(path, 'holds elements')
  // The words of a list are exact; white space around other values and empty free text are allowed.
  if (values && !values.includes(text)) throw new ExchangeError(path, `is none of ${values.join(', ')}`)
  const value = text.trim()
  if (pattern && value === '') throw new ExchangeError(path, 'is empty')
  if (pattern && !pattern.test(value)) throw new ExchangeError(path, 'has a wrong format')
  if (isValid && !isValid(value)) throw new ExchangeError(path, problem)
}

/** The elements of the schema; a signature may follow them at the end of the alert. */
const withoutSignature = ({ children, text }: XmlElement, path: string): XmlElement[] => {
  if (text.trim() !== '') throw new ExchangeError(path || 'alert', 'holds text between its elements')
  const own = children.filter(({ namespace }) => namespace === CAP_NAMESPACE)
  const foreign = children.find(
    ({ namespace }, index) =>
      namespace !== CAP_NAMESPACE && (path !== '' || namespace !== SIGNATURE_NAMESPACE || index < own.length),
  )
  if (foreign)
    throw new ExchangeError([path, foreign.name].filter(Boolean).join('.'), 'is not an element of CAP 1.2 here')
  return own
}

const checkChildren = (element: XmlElement, rules: readonly Rule[], path: string): void => {
  let position = 0
  const seen = new Set<string>()
  for (const child of withoutSignature(element, path)) {
    const at = path === '' ? child.name : `${path}.${child.name}`
    const index = rules.findIndex(({ name }) => name === child.name)
    const rule = rules[index]
    if (!rule) throw new ExchangeError(at, 'is not an element of CAP 1.2 here')
    if (index < position) throw new ExchangeError(at, 'is out of order')
    if (seen.has(child.name) && !rule.isRepeatable) throw new ExchangeError(at, 'is repeated')
    position = index
    seen.add(child.name)
    if (rule.children) checkChildren(child, rule.children, at)
    else checkValue(child, rule, at)
  }
  const missing = rules.find(({ name, isRequired }) => isRequired && !seen.has(name))
  if (missing) throw new ExchangeError(path === '' ? missing.name : `${path}.${missing.name}`, 'is required')
}

/** An empty element is none. */
export const childText = (element: XmlElement | undefined, name: string): string | null =>
  element?.children.find((child) => child.name === name && child.namespace === CAP_NAMESPACE)?.text.trim() || null

const childrenOf = (element: XmlElement, name: string): XmlElement[] =>
  element.children.filter((child) => child.name === name && child.namespace === CAP_NAMESPACE)

/** What the text of the standard requires beyond its schema. */
const checkConditions = (root: XmlElement): void => {
  const needs: [string, boolean][] = [
    ['restriction', childText(root, 'scope') === 'Restricted'],
    ['addresses', childText(root, 'scope') === 'Private'],
    ['references', childText(root, 'msgType') !== 'Alert'],
  ]
  for (const [name, isNeeded] of needs)
    if (isNeeded && childText(root, name) === null) throw new ExchangeError(name, 'is required')
  const areas = childrenOf(root, 'info').flatMap((block) => childrenOf(block, 'area'))
  const isAboveNothing = (place: XmlElement) => childText(place, 'ceiling') && !childText(place, 'altitude')
  if (areas.some(isAboveNothing)) throw new ExchangeError('info.area.altitude', 'is required')
}

const parse = (source: string): XmlElement => {
  try {
    return readXml(source)
  } catch (error) {
    throw error instanceof XmlError ? new ExchangeError('document', error.message) : error
  }
}

/** The root of a valid message; an `ExchangeError` names the element that is wrong. */
export const parseCapDocument = (source: string): XmlElement => {
  const root = parse(source)
  if (root.name !== 'alert' || root.namespace !== CAP_NAMESPACE)
    throw new ExchangeError('alert', `is not the root element in ${CAP_NAMESPACE}`)
  checkChildren(root, alert, '')
  checkConditions(root)
  return root
}
