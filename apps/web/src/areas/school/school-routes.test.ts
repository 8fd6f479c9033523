import { RecordQuery } from '@tocsin/contract/alarm/record'
import { expect, it } from 'vitest'
import { openRecordsPath } from './school-routes.ts'

const queryOf = (path: string) =>
  RecordQuery.parse(Object.fromEntries(new URL(path, 'https://console.test').searchParams))

it('links to every open record when a school is closed, and to open alarms from their count', () => {
  expect(queryOf(openRecordsPath(7, 'ALL'))).toMatchObject({ schoolId: 7, open: true })
  // A filter by state instead of `open` would leave out records that are older than the period of the list.
  expect(queryOf(openRecordsPath(7, 'ALL'))).not.toHaveProperty('mode')
  expect(queryOf(openRecordsPath(7, 'LIVE'))).toMatchObject({ schoolId: 7, open: true, mode: ['LIVE'] })
})
