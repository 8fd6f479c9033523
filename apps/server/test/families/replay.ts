import { expect } from 'vitest'
import type { FullServer } from '../full-server.ts'

/** Headers that a client adds to each of its calls. */
const every = {
  'tenant-id': '1',
  accept: 'application/json, text/plain, */*',
  'content-type': 'application/json;charset=utf-8',
}
const reading = { 'cache-control': 'no-cache', pragma: 'no-cache' }

/** A request as a client sends it, byte for byte, and the parts of the response it reads. */
export type Recorded = {
  does: string
  send: string
  body?: unknown
  /** Expected part of `data`. */
  data?: unknown
  code?: number
  msg?: string
}

type Kept = Record<string, unknown>

/** `{{name}}` is replaced by a value of an earlier response. */
const filled = (text: string, kept: Kept) =>
  text.replaceAll(/"?\{\{(\w+)\}\}"?/g, (whole, name: string) => {
    const value = kept[name]
    if (value === undefined) throw new Error(`nothing is kept as ${name}`)
    return whole.startsWith('"') ? JSON.stringify(value) : String(value)
  })

/** Sends requests one after the other, like one browser. */
export const replayer = (site: FullServer, token: () => string) => {
  const kept: Kept = {}
  return {
    kept,
    play: async ({ send, body, data, code = 200, msg }: Recorded) => {
      const [method = '', path = ''] = filled(send, kept).split(' ', 2)
      const headers = { ...every, ...(method === 'GET' && reading) }
      const payload = body === undefined ? undefined : filled(JSON.stringify(body), kept)
      const { status, type, text } = await site.call(method, path, {
        token: token(),
        headers,
        ...(payload !== undefined && { payload }),
      })
      expect({ status, type }).toEqual({ status: 200, type: 'application/json; charset=utf-8' })
      const answer = JSON.parse(text)
      expect(answer).toMatchObject({ code, ...(msg !== undefined && { msg }) })
      if (data !== undefined) expect(answer.data).toEqual(data)
      return answer.data
    },
  }
}
