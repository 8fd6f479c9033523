import type { LiveFrame, PageFrame } from '@tocsin/contract/live'
import { WebSocket } from 'ws'

/** The socket of one page in a test: every frame in order, and its close code. */
export type LivePage = {
  ws: WebSocket
  frames: LiveFrame[]
  texts: string[]
  say: (frame: PageFrame | string | Buffer) => void
  /** The first matching frame, including earlier ones. Rejects when the socket closes without it. */
  until: (fits: (frame: LiveFrame) => boolean) => Promise<LiveFrame>
  ended: Promise<number>
}

type Address = { port: number; origin?: string; from?: string }

/** Opens a socket; rejects with the HTTP status when the server rejects it. */
export const openLivePage = async ({ port, origin, from }: Address): Promise<LivePage> => {
  const own = `http://127.0.0.1:${port}`
  const ws = new WebSocket(`ws://127.0.0.1:${port}/admin-api/infra/ws`, {
    origin: origin ?? own,
    ...(from && { localAddress: from }),
  })
  const frames: LiveFrame[] = []
  const texts: string[] = []
  const look = new Set<() => void>()
  const ended = new Promise<number>((resolve) => ws.on('close', resolve))
  ws.on('message', (data) => {
    const text = String(data)
    texts.push(text)
    if (text !== 'pong') frames.push(JSON.parse(text) as LiveFrame)
    for (const item of look) item()
  })
  await new Promise<void>((resolve, reject) => {
    ws.on('open', resolve)
    ws.on('unexpected-response', (_request, response) => reject(new Error(`refused with ${response.statusCode}`)))
    ws.on('error', reject)
  })
  const until = (fits: (frame: LiveFrame) => boolean) =>
    new Promise<LiveFrame>((resolve, reject) => {
      const check = () => {
        const found = frames.find(fits)
        if (!found) return
        look.delete(check)
        resolve(found)
      }
      look.add(check)
      check()
      void ended.then((code) => reject(new Error(`the socket ended with ${code}: ${texts.join(' ').slice(-500)}`)))
    })
  return {
    ws,
    frames,
    texts,
    say: (frame) => ws.send(typeof frame === 'string' || Buffer.isBuffer(frame) ? frame : JSON.stringify(frame)),
    until,
    ended,
  }
}

/** The references of the events that a page received, in order. */
export const receivedEvents = (page: LivePage): (number | null)[] =>
  page.frames.flatMap((frame) => ('data' in frame ? [frame.data.ref] : []))
