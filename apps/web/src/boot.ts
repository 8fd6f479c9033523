import './zod-config.ts'
import { prefetch, isDashboardPath, alwaysPrefetched, dashboardPrefetched } from '#api/wire/prefetch.ts'
import { getLocalItem } from '#api/storage.ts'
import { BASE } from '#api/wire/request.ts'
import { renderEarlyGreeting, showBootError } from './early-greeting.ts'

// The first script of the page, in a file that needs no other: what the page shows in any case is asked for while the
// rest of the application is still coming.

/** A server that takes longer greets nobody: the console says what it waits for. */
const GREETED_MS = 100

const token = getLocalItem('ACCESS_TOKEN')

/** The scripts of the page have run, one after the other. */
const scriptsRun = () =>
  new Promise<unknown>((resolve) => {
    if (document.readyState === 'complete') resolve(undefined)
    document.addEventListener('DOMContentLoaded', resolve, { once: true })
    window.addEventListener('load', resolve, { once: true })
  })

const greeted = async (permissions: ReturnType<typeof prefetch>): Promise<unknown> =>
  // What cannot be read is no greeting.
  Promise.race([
    renderEarlyGreeting(permissions).catch(() => undefined),
    new Promise((resolve) => setTimeout(resolve, GREETED_MS)),
  ])

/** Asks for what is needed. @returns when the console may be drawn. */
const begin = async (): Promise<unknown> => {
  if (!token) return scriptsRun()
  const ask = (path: string) => prefetch(BASE + path, token)
  const [permissions] = alwaysPrefetched.map(ask)
  if (!isDashboardPath() || !permissions) return scriptsRun()
  dashboardPrefetched.forEach(ask)
  return greeted(permissions)
}

/** The parts that draw it (pages.ts). */
const draw = async (): Promise<void> => {
  const { then = '' } = document.querySelector<HTMLElement>('script[data-then]')?.dataset ?? {}
  for (const part of then.split(' ').filter(Boolean)) await import(/* @vite-ignore */ part)
}

begin()
  .then(draw)
  .catch((error: unknown) => {
    showBootError()
    throw error
  })
