import { z } from 'zod'
import { endpoint } from '@tocsin/contract/endpoint'
import { afterEach, expect, it, vi } from 'vitest'
import { sendFiles } from '../wire/send-files.ts'

class Slow extends EventTarget {
  static last: Slow
  upload = new EventTarget()
  constructor() {
    super()
    Slow.last = this
  }
  open() {}
  setRequestHeader() {}
  send() {}
  abort() {
    this.dispatchEvent(new Event('abort'))
  }
}

const UPLOAD = endpoint({
  method: 'POST',
  path: '/x/y/import',
  kind: 'upload',
  permission: 'token',
  scope: 'self',
  summary: '导入',
  summaryEn: 'Import',
  data: z.literal(true),
})

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

it('aborts a stalled upload after the time limit of a call, and not before', async () => {
  vi.useFakeTimers()
  vi.stubGlobal('XMLHttpRequest', Slow)
  const ended = vi.fn()
  const sent = sendFiles(UPLOAD, { files: {} }, { base: '', token: null }).catch(ended)
  await vi.advanceTimersByTimeAsync(40_000)
  Slow.last.upload.dispatchEvent(Object.assign(new Event('progress'), { loaded: 1, total: 2 }))
  // The last part is sent, and the answer takes its time.
  await vi.advanceTimersByTimeAsync(49_999)
  expect(ended).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(1)
  await sent
  expect(ended).toHaveBeenCalledWith(expect.objectContaining({ code: 'TIMEOUT' }))
})
