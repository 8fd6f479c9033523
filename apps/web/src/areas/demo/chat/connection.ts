import { demoTalks } from '@tocsin/contract/demo/talk'
import { useEffect, useState } from 'react'
import { call, endSession, refreshToken } from '#api/call.ts'
import { LiveClient } from '#api/live/client.ts'
import { invalidate } from '#api/query.ts'
import { onToken, tokens } from '#api/session.ts'

/** Repeated well before the server treats the user as gone. */
const HERE_MS = 10_000

export const endpointOf = ({ protocol, host }: Location): string =>
  `${protocol === 'https:' ? 'wss' : 'ws'}://${host}/admin-api/infra/ws`

/** The address to connect to, also from a path alone; undefined for an invalid address, or another host. */
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

/** A connection of this page, beside that of the console, subscribed to the test topic. */
const connect = (endpoint: string, onLive: (live: boolean) => void): (() => void) => {
  const link: LiveClient = new LiveClient({
    open: () => new WebSocket(endpoint),
    token: tokens.access,
    renew: refreshToken,
    signedOut: endSession,
    timer: timers((name) => link.elapsed(name)),
    status: (value) => 'live' in value && onLive(value.live),
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

/** The address and the state of the connection. A hidden page disconnects, and reconnects by itself. */
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
