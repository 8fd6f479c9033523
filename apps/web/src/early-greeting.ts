import type { PrefetchedResponse } from '#api/wire/prefetch.ts'
import { getLocalItem } from '#api/storage.ts'
import { ahead, greeting } from '#texts/console/greeting.ts'
import type { TextPair } from '#texts/topic.ts'
import { WIDE } from '#ui/responsive/wide.ts'
import { wallClock, zone } from '@tocsin/contract/time-zone'
import { partOfDay } from './areas/insight/home/part-of-day.ts'

/** The part of the permission answer that the greeting needs. */
type Granted = { user: { nickname: string; deptName: string }; timeZone: string }
type Answer = { code: number; data: Granted | null }

const element = (name: string, className: string, ...content: (Node | string)[]): HTMLElement => {
  const made = document.createElement(name)
  made.className = className
  made.append(...content)
  return made
}

const translate = ([zh, en]: TextPair): string => (getLocalItem('language') === 'en' ? en : zh)

const wordsFor = ({ user, timeZone }: Granted, at: number): string => {
  zone.name = timeZone
  const part = partOfDay(wallClock(new Date(at)).getUTCHours())
  return translate(greeting[part]).replace('{name}', () => user.nickname)
}

/**
 * The frame of shell/layout/Layout.tsx and the top of the dashboard, both empty, so that nothing moves when they are
 * loaded; with the defaults where nothing else was chosen.
 */
const frame = (granted: Granted, at: number, waiting: Element): HTMLElement => {
  const { user } = granted
  const wide = matchMedia(WIDE).matches
  const sided = wide && getLocalItem('layout') === 'left'
  const said = element('div', '', element('h2', 'home-greeting', wordsFor(granted, at)))
  said.append(element('span', 'home-name', user.deptName))
  const greeted = element('div', 'home-greeted', element('span', 'face home-face'), said)
  const main = element('main', 'layout-main', greeted, waiting)
  const crumbs = wide && !sided ? [element('div', 'crumbs', '\u00a0')] : []
  const tags = getLocalItem('tagsView') === 'true' ? [element('div', 'tag-bar')] : []
  const layout = element('div', 'layout early', element('div', 'layout-header'), ...crumbs, ...tags, main)
  layout.dataset['side'] = !sided ? 'none' : getLocalItem('sidebarStatus') === 'closed' ? 'closed' : 'opened'
  return layout
}

/** A hidden page paints nothing. */
const PAINTED_MS = 50
const painted = (): Promise<unknown> =>
  Promise.race([
    new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))),
    new Promise((resolve) => setTimeout(resolve, PAINTED_MS)),
  ])

/**
 * Renders the greeting of the dashboard as soon as the server named the user; the console replaces it. A refused user
 * sees nothing of it; the console handles that.
 */
export const renderEarlyGreeting = async (promise: Promise<PrefetchedResponse>): Promise<void> => {
  const { response, at } = await promise
  // Leaves the response to the console, which reads it.
  const { code, data }: Answer = await response.clone().json()
  const [root, waiting] = [document.getElementById('root'), document.querySelector('#root > .waiting')]
  if (code !== 200 || !data || !root || !waiting) return
  root.replaceChildren(frame(data, at, waiting))
  await painted()
}

/** The console did not load completely: the loading message says so. */
export const showBootError = (): void => {
  const again = element('button', '', translate(ahead.reload))
  again.addEventListener('click', () => location.reload())
  document
    .querySelector('#root > .waiting, .early .waiting')
    ?.replaceChildren(element('p', '', translate(ahead.missing)), again)
}
