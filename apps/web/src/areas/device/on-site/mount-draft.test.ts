import { expect, it } from 'vitest'
import { draftKey, parseDraft } from './mount-draft.ts'

it('reads a stored draft back, and ignores anything else under its key', () => {
  const draft = { schoolId: 3, placeId: 12, mountNote: '门后', isWaiting: true }
  expect(parseDraft(JSON.stringify(draft))).toEqual(draft)
  for (const other of [null, '', '{', '[]', '{"placeId":"x"}', '{"rob":1}']) expect(parseDraft(other)).toEqual({})
  expect(draftKey(1, 'A-1')).not.toBe(draftKey(2, 'A-1'))
})
