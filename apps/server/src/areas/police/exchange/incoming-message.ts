import type { Mode } from '@tocsin/contract/alarm/state-machine'
import type { ExchangeType } from '@tocsin/contract/police/exchange'

export type MessageReference = { sender: string; identifier: string }

/** A message of another system, whatever its format. */
export type IncomingMessage = {
  format: 'CAP' | 'JSON'
  sender: string
  identifier: string
  sent: Date
  type: ExchangeType
  mode: Mode
  references: readonly MessageReference[]
  caseNo: string | null
  externalNo: string | null
  category: string | null
  grade: number | null
  schoolCode: string | null
  place: string | null
  lng: number | null
  lat: number | null
  summary: string | null
  /** For the timeline of the incident. */
  text: string | null
}
