import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  ALL_UP,
  DOWN_CHANNELS,
  downFilter,
  downTopic,
  parseDown,
  parseUp,
  parseUsername,
  qosOf,
  UP_CHANNELS,
  upTopic,
  usernameOf,
} from '../src/topics.ts'

const device = { productKey: 'panic1', sn: 'SN-0001' }

test('formats topics as in the protocol', () => {
  expect(upTopic(device, 'alarm')).toBe('ax/v1/panic1/SN-0001/up/alarm')
  expect(downTopic(device, 'ack')).toBe('ax/v1/panic1/SN-0001/down/ack')
  expect(downFilter(device)).toBe('ax/v1/panic1/SN-0001/down/#')
  expect(ALL_UP).toBe('ax/v1/+/+/up/+')
  expect(usernameOf(device)).toBe('panic1/SN-0001')
})

test('parses every topic that it can build back to its parts', () => {
  const address = fc.record({
    productKey: fc.stringMatching(/^[0-9A-Za-z]{6,20}$/),
    sn: fc.stringMatching(/^[0-9A-Za-z_-]{4,40}$/),
  })
  fc.assert(
    fc.property(address, (value) => {
      for (const channel of UP_CHANNELS) expect(parseUp(upTopic(value, channel))).toEqual({ ...value, channel })
      for (const channel of DOWN_CHANNELS) expect(parseDown(downTopic(value, channel))).toEqual({ ...value, channel })
      expect(parseUsername(usernameOf(value))).toEqual(value)
    }),
  )
})

test.each([
  '',
  'ax/v1/panic1/SN-0001/up',
  'ax/v1/panic1/SN-0001/up/',
  'ax/v1/panic1/SN-0001/up/alarm/',
  'ax/v1/panic1/SN-0001/up/constructor',
  'ax/v2/panic1/SN-0001/up/alarm',
  'ax/v1/panic/SN-0001/up/alarm',
  'ax/v1/panic1/SN1/up/alarm',
  'ax/v1/panic1/SN-0001/down/alarm',
  'ax/v1/+/SN-0001/up/alarm',
  'ax/v1/panic1/SN-0001\n/up/alarm',
  '/ax/v1/panic1/SN-0001/up/alarm',
  '$share/tocsin/ax/v1/panic1/SN-0001/up/alarm',
])('%j is no uplink topic', (topic) => {
  expect(parseUp(topic)).toBeNull()
})

test('never throws on random text, and never parses it as both directions', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      expect(parseUp(text) && parseDown(text)).toBeNull()
      expect(parseUp(`ax/v1/${text}/up/alarm`) && parseDown(`ax/v1/${text}/up/alarm`)).toBeNull()
    }),
  )
})

test.each(['panic1', 'panic1/', '/SN-0001', 'panic1/SN-0001/x', 'panic1/SN 0001'])(
  'rejects %j as a username',
  (text) => {
    expect(parseUsername(text)).toBeNull()
  },
)

test('rejects an address that would reach other devices, and names the wrong part', () => {
  expect(() => upTopic({ productKey: '+', sn: 'SN-0001' }, 'alarm')).toThrow('productKey')
  expect(() => downFilter({ productKey: 'panic1', sn: '#' })).toThrow('sn')
})

test('marks only heartbeats and the clock as losable', () => {
  expect([...UP_CHANNELS, ...DOWN_CHANNELS].filter((channel) => qosOf(channel) === 0)).toEqual(['hb', 'time', 'error'])
})
