import { expect, it } from 'vitest'
import { ownEndpoint } from './connection.ts'

const at = { protocol: 'http:', host: '10.1.2.3:8080' } as Location
const own = 'ws://10.1.2.3:8080/admin-api/infra/ws'

it.each([
  [own, own],
  [` ${own}?a=1#b `, `${own}?a=1`],
  ['/admin-api/infra/ws', own],
  ['ws://10.1.2.3:8080', 'ws://10.1.2.3:8080/'],
  ['ws://somebody:secret@10.1.2.3:8080/admin-api/infra/ws', own],
  ['', undefined],
  ['ws://10.1.2.3/admin-api/infra/ws', undefined],
  ['wss://10.1.2.3:8080/admin-api/infra/ws', undefined],
  ['http://10.1.2.3:8080/admin-api/infra/ws', undefined],
  ['//example.org/ws', undefined],
  ['ws://10.1.2.3:8080@example.org/ws', undefined],
  ['ws://', undefined],
])('of the address %s is taken %s', (text, taken) => {
  expect(ownEndpoint(text, at)).toBe(taken)
})
