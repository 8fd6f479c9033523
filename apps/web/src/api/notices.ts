import type { Shown } from './present.ts'
import { present, words } from './present.ts'
import type { Lang } from '@tocsin/contract/field'

/** How the page shows things; the shell sets it once it can paint, before that nothing is lost but the paint. */
export type Screen = {
  lang: () => Lang
  show: (shown: Shown) => void
  /** True when the person agreed. */
  ask: (words: { title: string; text: string; yes: string; no: string }) => Promise<boolean>
}

const waiting: Shown[] = []
let screen: Screen | undefined

export const setScreen = (given: Screen): void => {
  screen = given
  for (const shown of waiting.splice(0)) screen.show(shown)
}

const show = (shown: Shown) => {
  if (shown.place === 'silent') return
  if (screen) screen.show(shown)
  else waiting.push(shown)
}

/** Shows an error where SPEC 8 wants it. */
export const showError = (error: unknown): void => show(present(error, screen?.lang() ?? 'zh-cn'))

export const showExpired = (): void => {
  const lang = screen?.lang() ?? 'zh-cn'
  show({ place: 'info', text: words.expired[lang] })
}

export const canAsk = (): boolean => screen !== undefined

/** SPEC 8: the dialog of a login that timed out. Nobody agrees while nothing can be painted. */
export const askRelogin = async (): Promise<boolean> => {
  if (!screen) return false
  const lang = screen.lang()
  return screen.ask({
    title: words.reloginTitle[lang],
    text: words.relogin[lang],
    yes: words.reloginYes[lang],
    no: words.reloginNo[lang],
  })
}
