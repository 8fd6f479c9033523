import { demoTalks } from '@tocsin/contract/demo/talk'
import { useEffect, useState } from 'react'
import { call, endSession, refreshToken } from '#api/call.ts'
import { LiveClient } from '#api/live/client.ts'
import { invalidate } from '#api/query.ts'
import { onToken, tokens } from '#api/session.ts'

/** Said again well before the server takes one for gone. */
const HERE_MS = 10_000

export const endpointOf = ({ protocol, host }: Location): string =>
  `${protocol === 'https:' ? 'wss' : 'ws'}://${host}/admin-api/infra/ws`

/** Where somebody wants to connect, a path alone too; undefined for what is no such address, or another system's. */
export const ownEndpoint = (text: string, at: Location): string | undefined => {
  const own = endpointOf(at)
  if (text.trim() === '' || !URL.canParse(text.trim(), own)) return undefined
  const { origin, pathname, search } = new URL(text.trim(), own)
  return origin === new URL(own).origin ? `${origin}${pathname}${search}` : undefined
}

const timers = (elapsed: (name: 'silent' | 'again') => void) => {
  const running = new Map<string, ReturnType<typeof setTimeout>>()
  return (name: 'silent' | 'again', ms: number | null) => {
    clearTimeout(running.get(name))
    if (ms === null) running.delete(name)
    else
      running.set(
        name,
        setTimeout(() => elapsed(name), ms),
      )
  }
}

const reread = () => void invalidate(demoTalks.list)

/** A connection of this page's own, beside that of the console, which follows the test topic. */
const connect = (endpoint: string, onLive: (live: boolean) => void): (() => void) => {
  const link: LiveClient = new LiveClient({
    open: () => new WebSocket(endpoint),
    token: tokens.access,
    renew: refreshToken,
    signedOut: endSession,
    timer: timers((name) => link.elapsed(name)),
    status: (told) => 'live' in told && onLive(told.live),
    beat: () => ({ renew: [], shown: [], sounded: [] }),
    event: ({ type }) => type === 'demo.talk' && reread(),
    reread,
    topics: ['demo'],
  })
  const forget = onToken((token) => link.renewed(token))
  link.start()
  return () => {
    forget()
    link.stop()
  }
}

const say = (here: boolean) => call(here ? demoTalks.here : demoTalks.gone, {}).catch(() => undefined)

/** Where somebody wants to be connected, and whether he is. A hidden page hangs up and comes back by itself. */
export const useConnection = () => {
  const [wanted, setWanted] = useState<string>()
  const [live, setLive] = useState(false)
  useEffect(() => (wanted === undefined ? undefined : connect(wanted, setLive)), [wanted])
  useEffect(() => {
    if (!live) return
    const here = () => void say(true).then(reread)
    here()
    const timer = setInterval(here, HERE_MS)
    return () => {
      clearInterval(timer)
      void say(false)
    }
  }, [live])
  return { wanted, live, connect: setWanted, disconnect: () => setWanted(undefined) }
}
