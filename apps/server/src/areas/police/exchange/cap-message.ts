import type { Mode } from '@tocsin/contract/alarm/state-machine'
import type { ExchangeType } from '@tocsin/contract/police/exchange'
import { childText, parseCapDocument } from './cap-schema.ts'
import { ExchangeError } from './exchange-error.ts'
import type { IncomingMessage, MessageReference } from './incoming-message.ts'
import type { XmlElement } from './xml-reader.ts'

const modes: Record<string, Mode> = { Actual: 'LIVE', Exercise: 'DRILL', Test: 'TEST' }

const types: Record<string, ExchangeType> = {
  Alert: 'ALARM',
  Update: 'UPDATE',
  Cancel: 'CANCEL_REQUEST',
  Ack: 'ACCEPTED',
  Error: 'REJECTED',
}

/** Of the dictionary of incidents. */
const categories: Record<string, string> = {
  Security: 'SECURITY',
  Transport: 'TRAFFIC',
  Fire: 'FIRE',
  Safety: 'SECURITY',
  Rescue: 'HELP',
  Health: 'HELP',
}

const grades: Record<string, number> = { Extreme: 1, Severe: 2, Moderate: 3, Minor: 4 }

const children = (element: XmlElement | undefined, name: string): XmlElement[] =>
  element?.children.filter((child) => child.name === name) ?? []

/** The Chinese block where there are several languages, else the first. */
const chooseInfo = (root: XmlElement): XmlElement | undefined => {
  const blocks = children(root, 'info')
  return blocks.find((block) => childText(block, 'language')?.toLowerCase().startsWith('zh')) ?? blocks[0]
}

const cut = (text: string | null, length: number): string | null => text && [...text].slice(0, length).join('')

type Point = { lng: number; lat: number }

const toPoint = (pair: string, path: string): Point => {
  const [lat = Number.NaN, lng = Number.NaN] = pair.split(',').map(Number)
  if (!(Math.abs(lat) <= 90 && Math.abs(lng) <= 180)) throw new ExchangeError(path, 'is no position')
  return { lng, lat }
}

/** The centre of the circle, else the middle of the corners of the polygon, without the repeated last one. */
const findPoint = (area: XmlElement | undefined): Point | null => {
  const circle = childText(area, 'circle')
  if (circle) return toPoint(circle.split(/\s+/)[0] ?? '', 'info.area.circle')
  const polygon = childText(area, 'polygon')
  if (!polygon) return null
  const corners = polygon
    .split(/\s+/)
    .slice(0, -1)
    .map((pair) => toPoint(pair, 'info.area.polygon'))
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  return { lng: mean(corners.map(({ lng }) => lng)), lat: mean(corners.map(({ lat }) => lat)) }
}

const pairValue = (element: XmlElement | undefined, pair: string, name: string): string | null => {
  const found = children(element, pair).find((child) => childText(child, 'valueName') === name)
  return childText(found, 'value')
}

const toReferences = (text: string | null): MessageReference[] =>
  (text ?? '')
    .split(/\s+/)
    .filter(Boolean)
    .map((entry) => {
      const [sender = '', identifier = ''] = entry.split(',')
      return { sender, identifier }
    })

const toDate = (text: string): Date => {
  const sent = new Date(text)
  if (Number.isNaN(sent.getTime())) throw new ExchangeError('sent', 'is no time')
  return sent
}

const toMode = (status: string): Mode => {
  const mode = modes[status]
  if (!mode) throw new ExchangeError('status', `${status} is not handled here`)
  return mode
}

const describeInfo = (info: XmlElement | undefined) => {
  const [area] = children(info, 'area')
  const lines = ['headline', 'description', 'instruction'].map((name) => childText(info, name))
  const point = findPoint(area)
  return {
    category: info ? (categories[childText(info, 'category') ?? ''] ?? 'OTHER') : null,
    grade: info ? (grades[childText(info, 'severity') ?? ''] ?? 2) : null,
    schoolCode: pairValue(area, 'geocode', 'school'),
    place: cut(childText(area, 'areaDesc'), 300),
    lng: point?.lng ?? null,
    lat: point?.lat ?? null,
    summary: cut(lines.filter(Boolean).join('\n') || childText(info, 'event'), 1000),
  }
}

/** Reads a CAP 1.2 message; an `ExchangeError` names the element that is wrong. */
export const parseCapMessage = (source: string): IncomingMessage => {
  const root = parseCapDocument(source)
  const get = (name: string): string => childText(root, name) ?? ''
  const type = types[get('msgType')] ?? 'UPDATE'
  const info = chooseInfo(root)
  if (type === 'ALARM' && !info) throw new ExchangeError('info', 'is required')
  return {
    format: 'CAP',
    sender: get('sender'),
    identifier: get('identifier'),
    sent: toDate(get('sent')),
    type,
    mode: toMode(get('status')),
    references: toReferences(childText(root, 'references')),
    caseNo: null,
    externalNo: null,
    ...describeInfo(info),
    text: cut(childText(root, 'note'), 500),
  }
}
