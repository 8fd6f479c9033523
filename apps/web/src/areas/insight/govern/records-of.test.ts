import { RecordQuery } from '@tocsin/contract/alarm/record'
import { expect, it } from 'vitest'
import { parseUrlQuery } from '#ui/list/url-query.ts'
import { recordsLink } from './records-of.ts'

it('leads to the counted alarms of the chosen department in the period of the figures', () => {
  const from = new Date('2026-03-01T00:00:00+08:00')
  const filterOf = (link: string) => parseUrlQuery(RecordQuery, new URL(link, 'http://console').searchParams)
  const counted = { mode: ['LIVE'], continued: false, from }
  expect(filterOf(recordsLink('/warn/record', { from, deptId: 7 }))).toEqual({ ...counted, deptId: 7 })
  expect(filterOf(recordsLink('/warn/record', { from }))).toEqual(counted)
  const to = new Date('2026-04-01T00:00:00+08:00')
  expect(filterOf(`${recordsLink('/warn/record', { from, to })}&falseAlarm=true`)).toEqual({
    ...counted,
    to,
    falseAlarm: true,
  })
})
