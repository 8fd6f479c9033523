import { warnClasses } from '@tocsin/contract/alarm/rule'
import { modes, recordStates } from '@tocsin/contract/alarm/state-machine'
import { situationStates } from '@tocsin/contract/police/situation-machine'
import { describe, expect, it } from 'vitest'
import { CAP_NAMESPACE } from '#areas/alarm/cap/cap-document'
import { formatRecordCap, type RecordCapSource } from '#areas/alarm/cap/record-cap'
import { parseCapDocument } from './cap-schema.ts'
import { ExchangeError } from './exchange-error.ts'
import { formatSituationCap, type SituationCapSource } from './situation-cap.ts'
import { readXml, type XmlElement } from './xml-reader.ts'

const incident: SituationCapSource = {
  no: 'JQ20261126-0001',
  mode: 'LIVE',
  state: 'RECEIVED',
  states: [{ no: 1, at: new Date('2026-11-26T02:29:39Z') }],
  category: 'FIRE',
  categoryLabel: '火灾',
  grade: 1,
  schoolName: '东湖第一小学',
  place: '2 号楼 <301>',
  lng: 114.4,
  lat: 30.5,
  summary: '冒烟 & "火光"\u0007',
  receivedAt: new Date('2026-11-26T02:29:39Z'),
  recordNo: 'YJ20261126-0107',
  stationName: '东湖派出所',
  stationPhone: null,
  validation: 4,
}
/** Names of elements in the order of the document, without their ends. */
const names = (xml: string) => [...xml.matchAll(/<([a-zA-Z]+)[ >]/g)].map(([, name]) => name)

describe('formatSituationCap', () => {
  it('writes the elements in the order of the schema, without empty ones, when an incident is new', () => {
    const xml = formatSituationCap(incident)
    expect(names(xml).join(' ')).toBe(
      'alert identifier sender sent status msgType scope restriction incidents info language category event urgency ' +
        'severity certainty onset senderName headline description parameter valueName value area areaDesc circle',
    )
    expect(xml).toContain('<alert xmlns="urn:oasis:names:tc:emergency:cap:1.2">')
    expect(xml).toContain('<sent>2026-11-26T10:29:39+08:00</sent>')
    expect(xml).toContain('<msgType>Alert</msgType>')
    expect(xml).toContain('<certainty>Observed</certainty>')
    expect(xml).toContain('<circle>30.5,114.4 0</circle>')
  })

  it('escapes what XML reserves and drops what it forbids', () => {
    const xml = formatSituationCap(incident)
    expect(xml).toContain('<areaDesc>东湖第一小学 2 号楼 &lt;301&gt;</areaDesc>')
    expect(xml).toContain('<description>冒烟 &amp; &quot;火光&quot;</description>')
  })

  it('names every earlier message when the incident went on, and cancels it when the police gave it back', () => {
    const states = [...incident.states, { no: 2, at: new Date('2026-11-26T03:00:00Z') }]
    const references =
      'tocsin,JQ20261126-0001-1,2026-11-26T10:29:39+08:00 tocsin,JQ20261126-0001-2,2026-11-26T11:00:00+08:00'
    const third = { ...incident, states: [...states, { no: 3, at: new Date('2026-11-26T03:01:00Z') }] }
    const later = formatSituationCap({ ...third, state: 'IN_PROGRESS' })
    expect(later).toContain('<identifier>JQ20261126-0001-3</identifier>')
    expect(later).toContain('<sent>2026-11-26T11:01:00+08:00</sent>')
    expect(later).toContain('<msgType>Update</msgType>')
    expect(later).toContain(`<references>${references}</references>`)
    expect(formatSituationCap({ ...third, state: 'REJECTED' })).toContain('<msgType>Cancel</msgType>')
    expect(formatSituationCap({ ...third, state: 'IN_PROGRESS' })).toBe(later)
  })

  it('never calls a drill or a test actual', () => {
    expect(formatSituationCap({ ...incident, mode: 'DRILL' })).toContain('<status>Exercise</status>')
    expect(formatSituationCap({ ...incident, mode: 'TEST' })).toContain('<status>Test</status>')
  })
})

/**
 * The rows follow bindings that were generated from CAP-v1.2.xsd of the OASIS Standard “Common Alerting Protocol Version
 * 1.2” of 1 July 2010, and for values that its types leave open section 3.2 of the same standard. One row for each element in its sequence: least
 * and most occurrences, a valid value, and values that are excluded. Not derived from the reader.
 */
type Row = {
  name: string
  least: 0 | 1
  most: 1 | 'many'
  valid: string | readonly Row[]
  wrong: readonly string[]
  /** Every word of the list of the schema. */
  all: readonly string[]
}
type Value = { valid: string | readonly Row[]; wrong?: readonly string[]; all?: readonly string[] }
const row =
  (least: 0 | 1, most: 1 | 'many') =>
  (tag: string, { valid, wrong = [], all = [] }: Value = { valid: 'text' }): Row => ({
    name: tag,
    least,
    most,
    valid,
    wrong,
    all,
  })
const result = row(1, 1)
const maybe = row(0, 1)
const any = row(0, 'many')
const some = row(1, 'many')
const words = (text: string) => {
  const [first = ''] = text.split(' ')
  return { valid: first, all: text.split(' '), wrong: ['Other words', first.toLowerCase(), ` ${first} `, ''] }
}
/** 3.3.2: a numeric zone, `-00:00` for UTC, and never a letter. */
const capTime = {
  valid: '2026-11-26T10:29:39+08:00',
  wrong: [
    '2026-11-26T02:29:39Z',
    '2026-11-26T10:29:39',
    '2026-11-26T10:29:39.5+08:00',
    '2026-11-26 10:29:39+08:00',
    '2026-02-31T10:29:39+08:00',
    '2026-11-26T10:29:39+15:00',
    '2026-11-26T10:29:39+14:30',
    '2026-11-26T10:29:39+08:60',
    '2026-11-26T24:00:01+08:00',
    '0000-11-26T10:29:39+08:00',
    '2026-11-26T10:29+08:00',
    '',
    '2026-11-26T10:29:39,08:00',
  ],
}
/** 3.2.1: no spaces, commas, `<` or `&`. */
const name = { valid: 'cad.city-1', wrong: ['cad city', 'cad,city', 'cad&lt;city', 'cad&amp;city', ''] }
const pair = { valid: [result('valueName'), result('value')] }
const decimal = { valid: '+12.5', wrong: ['high', '1e3', ''] }

/** 3.2.4 */
const areaRows = [
  result('areaDesc'),
  any('polygon', {
    valid: '30,114 30,115 31,115 30,114',
    wrong: ['30,114 30,115 30,114', '30,114 30,115 31,115 31,114', '91,114 30,115 31,115 91,114', 'here'],
  }),
  any('circle', { valid: '30.5,114.4 0', wrong: ['30.5,114.4', '30.5,184.4 0', 'here'] }),
  any('geocode', pair),
  maybe('altitude', decimal),
  maybe('ceiling', decimal),
]
/** 3.2.3 */
const resourceRows = [
  result('resourceDesc'),
  result('mimeType'),
  maybe('size', { valid: '12', wrong: ['1.5', 'big', ''] }),
  maybe('uri'),
  maybe('derefUri'),
  maybe('digest'),
]
/** 3.2.2 */
const infoRows = [
  maybe('language', { valid: 'zh-CN', wrong: ['zh_CN', '中文', 'zh CN', 'chineseee', ''] }),
  some('category', words('Geo Met Safety Security Rescue Fire Health Env Transport Infra CBRNE Other')),
  result('event'),
  any('responseType', words('Shelter Evacuate Prepare Execute Avoid Monitor Assess AllClear None')),
  result('urgency', words('Immediate Expected Future Past Unknown')),
  result('severity', words('Extreme Severe Moderate Minor Unknown')),
  result('certainty', words('Observed Likely Possible Unlikely Unknown')),
  maybe('audience'),
  any('eventCode', pair),
  maybe('effective', capTime),
  maybe('onset', capTime),
  maybe('expires', capTime),
  ...['senderName', 'headline', 'description', 'instruction', 'web', 'contact'].map((text) => maybe(text)),
  any('parameter', pair),
  any('resource', { valid: resourceRows }),
  any('area', { valid: areaRows }),
]
/** 3.2.1 */
const alertRows = [
  result('identifier', name),
  result('sender', name),
  result('sent', capTime),
  result('status', words('Actual Exercise System Test Draft')),
  result('msgType', words('Alert Update Cancel Ack Error')),
  maybe('source'),
  result('scope', words('Public Restricted Private')),
  maybe('restriction'),
  maybe('addresses'),
  any('code'),
  maybe('note'),
  maybe('references', { valid: 'a,b,2026-11-26T10:29:39+08:00', wrong: ['a,b', 'a b c'] }),
  maybe('incidents'),
  any('info', { valid: infoRows }),
]

/** Each departure of a document from the rows; empty when it conforms. */
const departures = (element: XmlElement, rows: readonly Row[], path = element.name): string[] => {
  const found = element.children.map((child) => child.name)
  const sequence = rows.flatMap((rule) => found.filter((child) => child === rule.name))
  const counts = rows.flatMap(({ name: child, least, most }) => {
    const count = found.filter((other) => other === child).length
    return count < least || (most === 1 && count > 1) ? [`${path}.${child} occurs ${count} times`] : []
  })
  const values = element.children.flatMap((child) => {
    const valid = rows.find((rule) => rule.name === child.name)?.valid
    const at = `${path}.${child.name}`
    if (typeof valid === 'object') return departures(child, valid, at)
    const all = rows.find((rule) => rule.name === child.name)?.all ?? []
    if (all.length > 0 && !all.includes(child.text)) return [`${at} is ${child.text}`]
    return child.text.trim() === '' || child.children.length > 0 ? [`${at} has no text`] : []
  })
  const namespaces = element.children.filter(({ namespace }) => namespace !== CAP_NAMESPACE).map((child) => child.name)
  const order = sequence.join() === found.join() ? [] : [`${path} holds ${found.join()}`]
  return [...order, ...counts, ...values, ...namespaces]
}

const alarm: RecordCapSource = {
  no: 'YJ20261126-0107',
  class: 'PANIC',
  level: 2,
  mode: 'LIVE',
  state: 'NEW',
  validation: null,
  schoolName: '东湖第一小学',
  placePath: '2 号楼 <301>',
  lng: 114.4,
  lat: 30.5,
  firstAt: new Date('2026-11-26T02:29:39Z'),
  mergedIntoId: null,
  states: [{ no: 1, at: new Date('2026-11-26T02:29:39Z') }],
  situationNo: null,
}
const later = [1, 2].map((no) => ({ no, at: new Date(`2026-11-26T02:3${no}:00Z`) }))
const nowhere = { schoolName: null, lng: null, lat: null }
const validations = [null, 0, 1, 2, 3, 4]

/** Every class, level, mode, state and certainty, each as an alert, an update and a cancel, with and without a place. */
const emitted = (): string[] => {
  const alarms = warnClasses.flatMap((of) => [1, 2, 3, 4].map((level) => ({ ...alarm, class: of, level })))
  const alarmFacts = [
    ...modes.map((mode) => ({ ...alarm, mode })),
    ...recordStates.map((state) => ({ ...alarm, state })),
    ...validations.map((validation) => ({ ...alarm, validation })),
    { ...alarm, ...nowhere, placePath: null },
  ]
  const incidents = [
    ...['CRIMINAL', 'SECURITY', 'TRAFFIC', 'FIRE', 'CROWD', 'HELP', 'BULLYING', 'LOCAL', null].flatMap((category) =>
      [1, 2, 3, 4].map((grade) => ({ ...incident, category, grade })),
    ),
    ...modes.map((mode) => ({ ...incident, mode })),
    ...situationStates.map((state) => ({ ...incident, state })),
    { ...incident, ...nowhere, place: null, summary: '', stationName: null, recordNo: null },
  ]
  return [
    ...[...alarms, ...alarmFacts].flatMap((record) =>
      [record, { ...record, states: later }, { ...record, states: later, mergedIntoId: 7 }].map(formatRecordCap),
    ),
    ...incidents.flatMap((source) =>
      [source, { ...source, states: later }, { ...source, states: later, state: 'REJECTED' as const }].map(
        formatSituationCap,
      ),
    ),
  ]
}

const write = ({ name: tag, valid }: Row, value: string | undefined = undefined): string =>
  `<${tag}>${value ?? (typeof valid === 'string' ? valid : valid.map((child) => write(child)).join(''))}</${tag}>`
const document = (content: string) => `<alert xmlns="${CAP_NAMESPACE}">${content}</alert>`
const complete = document(alertRows.map((rule) => write(rule)).join(''))

/** Documents that break one row each, with the path of the element. */
const broken = (rows: readonly Row[], wrap: (content: string) => string, path = ''): [string, string, string][] =>
  rows.flatMap((rule, index): [string, string, string][] => {
    const at = `${path}${rule.name}`
    const parts = rows.map((other) => write(other))
    const withPart = (text: string) => wrap(parts.toSpliced(index, 1, text).join(''))
    const moved = wrap([...parts.toSpliced(index, 1), parts[index]].join(''))
    const isLast = index === rows.length - 1
    const nested = typeof rule.valid === 'object' ? rule.valid : undefined
    return [
      ...(rule.least === 1 ? [[at, 'is required', withPart('')] as [string, string, string]] : []),
      ...(rule.most === 1 ? [[at, 'is repeated', withPart(write(rule).repeat(2))] as [string, string, string]] : []),
      ...(isLast ? [] : [[at, 'is out of order', moved] as [string, string, string]]),
      ...rule.wrong.map((value): [string, string, string] => [at, `as “${value}”`, withPart(write(rule, value))]),
      ...(nested ? broken(nested, (content) => withPart(`<${rule.name}>${content}</${rule.name}>`), `${at}.`) : []),
    ]
  })

describe('the published schema of CAP 1.2', () => {
  it('holds for every message that is sent, and each is read here', () => {
    const messages = emitted()
    const types = new Set(messages.map((xml) => /<msgType>(.*)<\/msgType>/.exec(xml)?.[1]))
    expect([...types].toSorted()).toEqual(['Alert', 'Cancel', 'Update'])
    for (const xml of messages) {
      expect(departures(readXml(xml), alertRows), xml).toEqual([])
      expect(() => parseCapDocument(xml), xml).not.toThrow()
      for (const [, time] of xml.matchAll(/<(?:sent|onset)>(.*?)</g)) expect(time).toMatch(/^[\dT:-]{19}[-+]\d\d:\d\d$/)
      for (const [, value] of xml.matchAll(/<(?:identifier|sender)>(.*?)<\//g)) expect(value).toMatch(/^[^\s,<&]+$/)
    }
  })

  it('is required of messages that are received: what the schema refuses is refused with the path of the element', () => {
    expect(() => parseCapDocument(complete)).not.toThrow()
    const cases = broken(alertRows, document)
    expect(cases.length).toBeGreaterThan(150)
    const wrong = cases.flatMap(([path, why, xml]) => {
      try {
        parseCapDocument(xml)
        return [`${path} ${why} is accepted`]
      } catch (error) {
        const field = error instanceof ExchangeError ? error.field : String(error)
        // An element that moves back is named, or the one that it now precedes.
        return why === 'is out of order' || field === path ? [] : [`${path} ${why} names ${field}`]
      }
    })
    expect(wrong).toEqual([])
  })

  it('admits each word of its lists, empty free text, and at the end signatures, but no other element or text', () => {
    for (const { name: tag, all } of [...alertRows, ...infoRows])
      for (const word of all) {
        const xml = complete.replaceAll(new RegExp(`<${tag}>[^<]*<`, 'g'), `<${tag}>${word}<`)
        expect(() => parseCapDocument(xml), word).not.toThrow()
      }
    const signature = '<Signature xmlns="http://www.w3.org/2000/09/xmldsig#"><x/></Signature>'
    const accepted = [
      complete.replace('</alert>', `${signature}</alert>`),
      complete.replace('</alert>', `${signature}${signature}</alert>`),
      complete.replace('<note>text</note>', '<note/>'),
      complete.replaceAll(/<(event|areaDesc|mimeType|valueName|value)>text</g, '<$1><'),
      ...['2026-11-26T24:00:00+08:00', '2026-11-26T02:29:39-00:00', ' 2026-11-26T10:29:39+14:00 '].map((time) =>
        complete.replaceAll(`>${capTime.valid}<`, `>${time}<`),
      ),
    ]
    for (const xml of accepted) expect(() => parseCapDocument(xml)).not.toThrow()
    const refused = [
      complete.replace('<note>', `${signature}<note>`),
      complete.replace('</info>', `${signature}</info>`),
      complete.replace('</alert>', '<x xmlns="urn:other"/></alert>'),
      complete.replace('<info>', '<info>loose'),
      complete.replace('<note>text', '<note><b/>text'),
      complete.replace(/<altitude>[^/]*<.altitude>/, ''),
    ]
    for (const xml of refused) expect(() => parseCapDocument(xml), xml).toThrow(ExchangeError)
  })
})
