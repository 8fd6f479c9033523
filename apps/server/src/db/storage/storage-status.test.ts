import { expect, it } from 'vitest'
import { createStorageStatus } from './storage-status.ts'

const failure = (code: string) => Object.assign(new Error('failed'), { code })

it.each([
  ['a full disk', '53100'],
  ['no memory', '53200'],
  ['too many connections', '53300'],
  ['a read-only database', '25006'],
  ['a crash', '57P02'],
  ['a start', '57P03'],
  ['an I/O error', '58030'],
  ['a refused connection', 'ECONNREFUSED'],
])('says at the first alarm that cannot be stored because of %s', (_what, code) => {
  const status = createStorageStatus()
  let changes = 0
  status.onChange(() => (changes += 1))
  status.failed(failure(code))
  const since = status.failingSince()
  expect(since).toBeTypeOf('number')
  status.failed(failure(code))
  expect([status.failingSince(), changes]).toEqual([since, 1])
  status.stored()
  status.stored()
  expect([status.failingSince(), changes]).toEqual([undefined, 2])
})

it.each(['57014', '55P03', '40P01', '23505'])('says nothing about writes when one alarm failed with %s', (code) => {
  const status = createStorageStatus()
  status.failed(failure(code))
  expect(status.failingSince()).toBeUndefined()
})
