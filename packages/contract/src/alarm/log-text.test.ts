import { expect, it } from 'vitest'
import { formatLogText, formatReadableText, formatTechnicalText } from './log-text.ts'

it('formats the values of a log entry in reading order with labels, without ids', () => {
  expect(formatLogText({ to: 1, from: 2 }, 'zh-cn')).toBe('原级别：二级；新级别：一级')
  const resolved = { note: 'x', causeCode: 'PRANK', disposition: 'FALSE_MALICIOUS', overrideReason: null }
  expect(formatLogText(resolved, 'en')).toBe('Note: x; Disposition: False alarm: malicious; Cause: Prank')
  expect(formatLogText({ reason: 'T1' }, 'en')).toBe('Reason: Nobody claimed it in time')
  expect(formatLogText({ reason: 'fight', validation: 4, proposed: true, ownerId: 7 }, 'zh-cn')).toBe(
    '理由：fight；核实：危及生命；待他人确认：是',
  )
  const unread = { channel: 'sub', reason: 'UNKNOWN_CHILD', 'keyword.conf': 0.9 }
  expect(formatLogText(unread, 'en')).toBe('Reason: No such device behind this gateway; Confidence: 0.9; Channel: sub')
  expect(formatLogText({ ruleVersion: 3 }, 'zh-cn')).toBe('')
})

it('keeps ids and measured values apart from what people read', () => {
  const payload = { level: 1, via: 'MQTT', eventId: 'E-1', deviceId: 7, fileIds: [1, 2], ruleVersion: 3, note: null }
  expect(formatReadableText(payload, 'zh-cn')).toBe('级别：一级')
  expect(formatTechnicalText(payload, 'en')).toBe(
    'Via: MQTT; Signal id: E-1; deviceId: 7; fileIds: [1,2]; ruleVersion: 3',
  )
  expect(formatTechnicalText({ note: 'x' }, 'en')).toBe('')
})
