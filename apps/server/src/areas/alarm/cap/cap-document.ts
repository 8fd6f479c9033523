import { offsetMs, wallClock } from '@tocsin/contract/time-zone'

// Common Alerting Protocol 1.2 (OASIS, 2010): elements in the order of its schema.

export const CAP_NAMESPACE = 'urn:oasis:names:tc:emergency:cap:1.2'
export const CAP_SENDER = 'tocsin'

const STATUS = { LIVE: 'Actual', DRILL: 'Exercise', TEST: 'Test' } as const
const URGENCY = ['Immediate', 'Immediate', 'Expected', 'Future'] as const
const SEVERITY = ['Extreme', 'Severe', 'Moderate', 'Minor'] as const
/** By the validation of the alarm (domain 3.6): 4 and 3, 2, 1, 0. */
const CERTAINTY = ['Unlikely', 'Possible', 'Likely', 'Observed', 'Observed'] as const

/** What XML 1.0 allows: no control characters but tab and line ends. */
const isAllowed = (character: string): boolean => {
  const code = character.codePointAt(0) ?? 0
  return (
    (code >= 0x20 && code !== 0xfffe && code !== 0xffff) ||
    character === '\t' ||
    character === '\n' ||
    character === '\r'
  )
}
const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' }
const escape = (text: string): string =>
  Array.from(text, (character) => (isAllowed(character) ? (entities[character] ?? character) : '')).join('')

type Element = readonly [name: string, content: string | readonly Element[] | null]

const format = ([name, content]: Element, depth = 0): string => {
  if (content === null || content === '') return ''
  const indent = '  '.repeat(depth)
  if (typeof content === 'string') return `${indent}<${name}>${escape(content)}</${name}>\n`
  const inner = content.map((child) => format(child, depth + 1)).join('')
  return `${indent}<${name}>\n${inner}${indent}</${name}>\n`
}

/** `2026-11-25T14:03:21+08:00`; CAP forbids `Z`. */
export const formatCapTime = (at: Date): string => {
  const minutes = offsetMs(at.getTime()) / 60_000
  const pad = (n: number) => String(n).padStart(2, '0')
  const sign = minutes > 0 ? '+' : '-'
  const zone = `${sign}${pad(Math.floor(Math.abs(minutes) / 60))}:${pad(Math.abs(minutes) % 60)}`
  return `${wallClock(at).toISOString().slice(0, 19)}${zone}`
}

/** One entry of the timeline is one message: its number in the timeline, from 1, and its time. */
export type CapState = { no: number; at: Date }

/** The matter as it is now, whatever its kind. */
export type CapSource = {
  /** The number of the alarm or incident. */
  no: string
  mode: keyof typeof STATUS
  /** The timeline, in its order. The last entry is this message, the earlier ones are its references. */
  states: readonly CapState[]
  isWithdrawn: boolean
  /** Numbers of the same matter. */
  incidents: readonly (string | null)[]
  category: string
  event: string
  level: number
  validation: number | null
  onset: Date
  senderName: string | null
  description: string | null
  contact: string | null
  state: string
  areaName: string
  lng: number | null
  lat: number | null
}

/** Unique for each state of each alarm or incident, and the same whenever that state is exported again. */
export const capIdentifier = (no: string, { no: count }: Pick<CapState, 'no'>): string => `${no}-${count}`

const area = ({ areaName, lng, lat }: CapSource): Element => [
  'area',
  [
    ['areaDesc', areaName || '–'],
    // A point is a circle without a radius.
    ['circle', lng === null || lat === null ? null : `${lat},${lng} 0`],
  ],
]

const info = (source: CapSource): Element => [
  'info',
  [
    ['language', 'zh-CN'],
    ['category', source.category],
    ['event', source.event],
    ['urgency', URGENCY[source.level - 1] ?? 'Unknown'],
    ['severity', SEVERITY[source.level - 1] ?? 'Unknown'],
    ['certainty', CERTAINTY[source.validation ?? -1] ?? 'Unknown'],
    ['onset', formatCapTime(source.onset)],
    ['senderName', source.senderName],
    ['headline', `${source.no} ${source.event}`],
    ['description', source.description],
    ['contact', source.contact],
    [
      'parameter',
      [
        ['valueName', 'state'],
        ['value', source.state],
      ],
    ],
    area(source),
  ],
]

const formatAlert = (elements: readonly Element[]): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n${format(['alert', elements]).replace('<alert>', `<alert xmlns="${CAP_NAMESPACE}">`)}`

/**
 * The message of one matter as it is now. The first state is an `Alert`; each later one names all earlier ones as its
 * references, so that a receiver of any of them can match it.
 */
export const formatCap = (source: CapSource): string => {
  const current = source.states.at(-1) ?? { no: 1, at: source.onset }
  const earlier = source.states.slice(0, -1)
  const isFirst = earlier.length === 0
  return formatAlert([
    ['identifier', capIdentifier(source.no, current)],
    ['sender', CAP_SENDER],
    ['sent', formatCapTime(current.at)],
    ['status', STATUS[source.mode]],
    ['msgType', source.isWithdrawn && !isFirst ? 'Cancel' : isFirst ? 'Alert' : 'Update'],
    ['scope', 'Restricted'],
    ['restriction', 'For police and schools only'],
    [
      'references',
      earlier
        .map((state) => [CAP_SENDER, capIdentifier(source.no, state), formatCapTime(state.at)].join(','))
        .join(' '),
    ],
    ['incidents', source.incidents.filter(Boolean).join(' ')],
    info(source),
  ])
}
