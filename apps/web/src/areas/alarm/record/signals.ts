import type { Occurrence, WarnRecordRow } from '@tocsin/contract/alarm/record'

type Signals = {
  record: Pick<WarnRecordRow, 'occurrenceCount'>
  occurrences: readonly Pick<Occurrence, 'via' | 'code'>[]
  occurrencesCut: boolean
}

/** The number of listed signals, including cancels and resets, which the record does not count as presses. */
export const signalCount = ({ record, occurrences, occurrencesCut }: Signals): number =>
  occurrencesCut ? Math.max(record.occurrenceCount, occurrences.length) : occurrences.length

/** Whether a device reported its start time: not in unparsable messages, nor in signals of the server. */
export const beganByDevice = ({ occurrences }: Pick<Signals, 'occurrences'>): boolean => {
  const first = occurrences.at(-1)
  return first !== undefined && first.via !== 'SERVER' && first.code !== 'UNPARSABLE'
}
