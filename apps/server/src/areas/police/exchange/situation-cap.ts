import type { Situation } from '@tocsin/contract/police/situation'
import type { SituationState } from '@tocsin/contract/police/situation-machine'
import { type CapState, formatCap } from '#areas/alarm/cap/cap-document'

/** The police do not go on with it. */
const withdrawn: readonly SituationState[] = ['REJECTED', 'MERGED', 'CANCELLED']

const categories: Record<string, string> = {
  CRIMINAL: 'Security',
  SECURITY: 'Security',
  TRAFFIC: 'Transport',
  FIRE: 'Fire',
  CROWD: 'Safety',
  HELP: 'Rescue',
  BULLYING: 'Safety',
}

type Shown = 'no' | 'mode' | 'state' | 'category' | 'grade' | 'schoolName' | 'place' | 'lng' | 'lat' | 'summary'

export type SituationCapSource = Pick<Situation, Shown | 'receivedAt'> & {
  /** The timeline, in its order. */
  states: readonly CapState[]
  recordNo: string | null
  stationName: string | null
  stationPhone: string | null
  /** The word of the category. */
  categoryLabel: string
  validation: number | null
}

export const formatSituationCap = (situation: SituationCapSource): string =>
  formatCap({
    ...situation,
    isWithdrawn: withdrawn.includes(situation.state),
    incidents: [situation.no, situation.recordNo],
    category: categories[situation.category ?? ''] ?? 'Other',
    event: situation.categoryLabel,
    level: situation.grade,
    onset: situation.receivedAt,
    senderName: situation.stationName,
    description: situation.summary,
    contact: situation.stationPhone,
    areaName: [situation.schoolName, situation.place].filter(Boolean).join(' '),
  })
