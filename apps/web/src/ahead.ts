import { askAhead, atDashboard, neededAlways, neededThere } from '#api/wire/ahead.ts'
import { stored } from '#api/storage.ts'
import { BASE } from '#api/wire/request.ts'
import { greetAhead } from './greet-ahead.ts'

// The first script of the page, in a file that needs no other: what the page shows in any case is asked for while the
// rest of the application is still coming.

/** A server that takes longer greets nobody: the console says what it waits for. */
const GREETED_MS = 100

const token = stored('ACCESS_TOKEN')

/** @returns when the page has greeted, or will not. */
const askFor = async (token: string): Promise<void> => {
  const [permissions] = neededAlways.map((path) => askAhead(BASE + path, token))
  if (!atDashboard()) return
  for (const path of neededThere) void askAhead(BASE + path, token)
  if (!permissions) return
  // What cannot be read is no greeting.
  const greeted = greetAhead(permissions).catch(() => undefined)
  await Promise.race([greeted, new Promise((resolve) => setTimeout(resolve, GREETED_MS))])
}

/** The parts that wait for that (pages.ts). */
const goOn = async (): Promise<void> => {
  const { then = '' } = document.querySelector<HTMLElement>('script[data-then]')?.dataset ?? {}
  for (const part of then.split(' ').filter(Boolean)) await import(/* @vite-ignore */ part)
}

void (token ? askFor(token) : Promise.resolve()).then(goOn)
