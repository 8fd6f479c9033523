import { expect, it } from 'vitest'
import { formatLogText } from './log-text.ts'

it('a trace says what it carries in the order of reading, in words, and leaves out ids', () => {
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
