import { askAhead, atDashboard, neededAlways, neededThere } from '#api/wire/ahead.ts'
import { stored } from '#api/storage.ts'
import { BASE } from '#api/wire/request.ts'
import { greetAhead, sayMissing } from './greet-ahead.ts'

// The first script of the page, in a file that needs no other: what the page shows in any case is asked for while the
// rest of the application is still coming.

/** A server that takes longer greets nobody: the console says what it waits for. */
const GREETED_MS = 100

const token = stored('ACCESS_TOKEN')

/** The scripts of the page have run, one after the other. */
const scriptsRun = () =>
  new Promise<unknown>((resolve) => {
    if (document.readyState === 'complete') resolve(undefined)
    document.addEventListener('DOMContentLoaded', resolve, { once: true })
    window.addEventListener('load', resolve, { once: true })
  })

const greeted = async (permissions: ReturnType<typeof askAhead>): Promise<unknown> =>
  // What cannot be read is no greeting.
  Promise.race([
    greetAhead(permissions).catch(() => undefined),
    new Promise((resolve) => setTimeout(resolve, GREETED_MS)),
  ])

/** Asks for what is needed. @returns when the console may be drawn. */
const begin = async (): Promise<unknown> => {
  if (!token) return scriptsRun()
  const ask = (path: string) => askAhead(BASE + path, token)
  const [permissions] = neededAlways.map(ask)
  if (!atDashboard() || !permissions) return scriptsRun()
  neededThere.forEach(ask)
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
    sayMissing()
    throw error
  })
