import './zod-config.ts'
import { prefetch, isDashboardPath, alwaysPrefetched, dashboardPrefetched } from '#api/wire/prefetch.ts'
import { getLocalItem } from '#api/storage.ts'
import { BASE } from '#api/wire/request.ts'
import { renderEarlyGreeting, showBootError } from './early-greeting.ts'

// The first script of the page, without imports of others: the data that every page needs is requested while the rest
// of the application still loads.

/** After this long no greeting is shown: the console itself shows what it waits for. */
const GREETED_MS = 100

const token = getLocalItem('ACCESS_TOKEN')

/** Resolves when all scripts of the page have run in order. */
const scriptsRun = () =>
  new Promise<unknown>((resolve) => {
    if (document.readyState === 'complete') resolve(undefined)
    document.addEventListener('DOMContentLoaded', resolve, { once: true })
    window.addEventListener('load', resolve, { once: true })
  })

const greeted = async (permissions: ReturnType<typeof prefetch>): Promise<unknown> =>
  // An unreadable answer shows no greeting.
  Promise.race([
    renderEarlyGreeting(permissions).catch(() => undefined),
    new Promise((resolve) => setTimeout(resolve, GREETED_MS)),
  ])

/** Requests what is needed. @returns when the console may be rendered. */
const begin = async (): Promise<unknown> => {
  if (!token) return scriptsRun()
  const ask = (path: string) => prefetch(BASE + path, token)
  const [permissions] = alwaysPrefetched.map(ask)
  if (!isDashboardPath() || !permissions) return scriptsRun()
  dashboardPrefetched.forEach(ask)
  return greeted(permissions)
}

/** The chunks that render it (html-pages.ts). */
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
