import { useEffect, useState } from 'react'
import { useLive } from '#api/live.ts'

const EVERY_MS = 600_000
/** Switching between windows must not send a request each time. */
const PAUSE_MS = 60_000

/**
 * The last script of an HTML page: its name contains the hashes of all others, so that another build has another one
 * (pages.ts).
 */
export const buildIdOf = (html: string): string | undefined => /<meta name="entry" content="([^"]+)">/.exec(html)?.[1]

/** Build that the server serves now; undefined when it does not answer. */
const servedEntry = async (): Promise<string | undefined> => {
  try {
    const answer = await fetch('/', { cache: 'no-store', headers: { accept: 'text/html' } })
    return answer.ok ? buildIdOf(await answer.text()) : undefined
  } catch {
    return undefined
  }
}

const ownEntry = () => document.querySelector<HTMLMetaElement>('meta[name="entry"]')?.content

/**
 * The entry of another build than this page's, once the server has one. Checked when the window gets the focus, when
 * the server is back, and every ten minutes.
 */
export const useNewBuild = (): string | undefined => {
  const [newer, setNewer] = useState<string>()
  useEffect(() => {
    let startedAt = Date.now()
    let latest = 0
    const ask = async () => {
      startedAt = Date.now()
      latest += 1
      const mine = latest
      const served = await servedEntry()
      // An answer that took longer than a later one is outdated.
      if (mine === latest && served !== undefined) setNewer(served === ownEntry() ? undefined : served)
    }
    const looked = () => {
      if (document.visibilityState === 'visible' && Date.now() - startedAt >= PAUSE_MS) void ask()
    }
    const timer = setInterval(() => void ask(), EVERY_MS)
    // Checks after a reconnect, because a new build starts with a new server process.
    const end = useLive.subscribe((now, before) => {
      if (now.live && !before.live) void ask()
    })
    window.addEventListener('focus', looked)
    document.addEventListener('visibilitychange', looked)
    return () => {
      clearInterval(timer)
      end()
      window.removeEventListener('focus', looked)
      document.removeEventListener('visibilitychange', looked)
    }
  }, [])
  return newer
}
