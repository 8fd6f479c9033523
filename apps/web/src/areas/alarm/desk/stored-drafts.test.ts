import { WarnRecordRow } from '@tocsin/contract/alarm/record'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { clearStorage } from '#api/storage.ts'
import { loadDrafts, storeDrafts } from './stored-drafts.ts'

/** Replaces the storage of the browser, which Node lacks. */
const memory = () => {
  const api = {
    getItem: (key: string) => (Object.hasOwn(api, key) ? String(Object(api)[key]) : null),
    setItem: (key: string, value: string) => void Object.assign(api, { [key]: value }),
    removeItem: (key: string) => void Reflect.deleteProperty(api, key),
    clear: () => Object.keys(api).forEach((key) => typeof Object(api)[key] === 'string' && api.removeItem(key)),
  }
  return api
}
beforeEach(() => {
  vi.useFakeTimers({ now: Date.UTC(2026, 10, 27) })
  vi.stubGlobal('localStorage', memory())
  vi.stubGlobal('sessionStorage', memory())
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const values = [null, 7, 'NEW', 'PANIC', 'LIVE', 'ACTIVE', 'x', false, new Date(0), [], {}]
/** Any valid row: the first of these values that each field takes. */
const record = Object.fromEntries(
  Object.entries(WarnRecordRow.shape).map(([name, field]) => [
    name,
    values.find((value) => z.safeEncode(field as z.ZodType, value).success),
  ]),
) as WarnRecordRow

it('keeps what a person typed when the session is ended, for that person and twelve hours only', () => {
  const typed = { disposition: 'REAL', note: '已联系班主任', at: new Date(0) }
  storeDrafts(3, [{ of: { verb: 'resolve', record }, values: typed }])
  clearStorage()
  const { at: _at, ...text } = typed
  expect(loadDrafts(3)).toEqual([{ of: { verb: 'resolve', record }, values: text }])
  expect(loadDrafts(4)).toEqual([])
  vi.advanceTimersByTime(13 * 3_600_000)
  expect(loadDrafts(3)).toEqual([])
})

it('keeps nothing when the last draft was sent, and ignores what it cannot read', () => {
  storeDrafts(3, [{ of: { verb: 'note', record }, values: { text: 'x' } }])
  storeDrafts(3, [])
  expect(loadDrafts(3)).toEqual([])
  for (const broken of ['{', '[{"verb":"resolve"}]']) {
    localStorage.setItem('unsent.desk.3', broken)
    expect(loadDrafts(3)).toEqual([])
  }
})

it('keeps the input to a row of the queue, without the limit that ran then', () => {
  const limited = { ...record, limit: { step: 'T1', dueAt: new Date(0), seconds: 30 } }
  storeDrafts(3, [{ of: { verb: 'note', record: limited }, values: { note: '已联系班主任' } }])
  expect(loadDrafts(3).map(({ of }) => of.record)).toEqual([record])
})
