import type { DisplayedError } from './error-display.ts'
import { toDisplayedError, errorTexts } from './error-display.ts'
import type { Lang } from '@tocsin/contract/field'

/** How the page shows messages; the shell sets it once it can render, before that they are not displayed. */
export type MessageUi = {
  lang: () => Lang
  show: (shown: DisplayedError) => void
  /** True when the user agreed. */
  ask: (words: { title: string; text: string; yes: string; no: string }) => Promise<boolean>
}

const waiting: DisplayedError[] = []
let screen: MessageUi | undefined

export const setMessageUi = (given: MessageUi): void => {
  screen = given
  for (const shown of waiting.splice(0)) screen.show(shown)
}

const show = (shown: DisplayedError) => {
  if (shown.place === 'silent') return
  if (screen) screen.show(shown)
  else waiting.push(shown)
}

/** Shows an error where SPEC 8 says. */
export const showError = (error: unknown): void => show(toDisplayedError(error, screen?.lang() ?? 'zh-cn'))

export const showSessionExpired = (): void => {
  const lang = screen?.lang() ?? 'zh-cn'
  show({ place: 'info', text: errorTexts.expired[lang] })
}

export const canPrompt = (): boolean => screen !== undefined

/** SPEC 8: the dialog of an expired sign-in. Nobody can agree while nothing can be rendered. */
export const askRelogin = async (): Promise<boolean> => {
  if (!screen) return false
  const lang = screen.lang()
  return screen.ask({
    title: errorTexts.reloginTitle[lang],
    text: errorTexts.relogin[lang],
    yes: errorTexts.reloginYes[lang],
    no: errorTexts.reloginNo[lang],
  })
}
