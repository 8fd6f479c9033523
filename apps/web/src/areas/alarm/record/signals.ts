import type { Occurrence, WarnRecordRow } from '@tocsin/contract/alarm/record'

type Signals = {
  record: Pick<WarnRecordRow, 'occurrenceCount'>
  occurrences: readonly Pick<Occurrence, 'via' | 'code'>[]
  occurrencesCut: boolean
}

/** How many signals are listed: cancels and resets among them, which the record does not count as presses. */
export const signalCount = ({ record, occurrences, occurrencesCut }: Signals): number =>
  occurrencesCut ? Math.max(record.occurrenceCount, occurrences.length) : occurrences.length

/** Whether a device told the time it began with: not of what nobody could read, nor of what the server concluded. */
export const beganByDevice = ({ occurrences }: Pick<Signals, 'occurrences'>): boolean => {
  const first = occurrences.at(-1)
  return first !== undefined && first.via !== 'SERVER' && first.code !== 'UNPARSABLE'
}
