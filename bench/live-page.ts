import { LiveFrame } from '@tocsin/contract/live'
import { WebSocket } from 'ws'

/** A page that listens: when which frame arrived, by performance.now(). */
export type LivePage = {
  received: { type: string; ref: number | null; at: number }[]
  onEvent: (call: (type: string, ref: number | null) => void) => void
  close: () => void
}

/** Resolves when it is signed in and subscribed. */
export const openLivePage = (http: string, token: string): Promise<LivePage> =>
  new Promise((ready, failed) => {
    const ws = new WebSocket(`${http.replace('http', 'ws')}/admin-api/infra/ws`, { origin: http })
    const items: LivePage['received'] = []
    let call: (type: string, ref: number | null) => void = () => undefined
    let open = false
    const desk: LivePage = {
      received: items,
      onEvent: (wanted) => {
        call = wanted
      },
      close: () => ws.terminate(),
    }
    ws.on('open', () => ws.send(JSON.stringify({ type: 'auth', token })))
    ws.on('message', (data) => {
      const at = performance.now()
      const frame = LiveFrame.parse(JSON.parse(String(data)))
      if (frame.type === 'ready') {
        open = true
        return ready(desk)
      }
      if (frame.type === 'beat')
        return ws.send(JSON.stringify({ type: 'beat', n: frame.n, renew: [], shown: [], sounded: [] }))
      if (!('data' in frame)) return
      items.push({ type: frame.type, ref: frame.data.ref, at })
      call(frame.type, frame.data.ref)
    })
    ws.on('error', failed)
    ws.on('close', (code) => open || failed(new Error(`the socket was ended with ${code}`)))
  })
