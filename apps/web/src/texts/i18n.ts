import type { Lang } from '@tocsin/contract/field'
import { createInstance } from 'i18next'
import { useSyncExternalStore } from 'react'
import { initReactI18next } from 'react-i18next'
import { formatPlural, type PluralWords } from './plural.ts'
import type { lazyTexts } from './lazy-texts.ts'
import { texts as zhCn } from './texts.ts?zh-cn'
import type { texts } from './texts.ts'
import type { TextsOf } from './topic.ts'

declare module 'i18next' {
  interface CustomTypeOptions {
    resources: { translation: TextsOf<typeof texts & typeof lazyTexts> }
  }
}

export const i18n = createInstance({
  resources: { 'zh-cn': { translation: zhCn } },
  lng: 'zh-cn',
  lowerCaseLng: true,
  load: 'currentOnly',
  fallbackLng: false,
  // React escapes already; single braces as in the contract's sentences.
  interpolation: { escapeValue: false, prefix: '{', suffix: '}' },
})
i18n.use(initReactI18next)
void i18n.init()
i18n.services.formatter?.add('plural', (count: number | string, _lang, words: PluralWords) =>
  formatPlural(count, words),
)

const fetchEnglish = async (): Promise<void> => {
  const { texts: en } = await import('./texts.ts?en')
  i18n.addResourceBundle('en', 'translation', en, true)
}

let english: Promise<void> | undefined

/** Chinese is loaded from the start, English on demand. Throws when it fails. */
export const fetchTexts = (lang: Lang): Promise<void> => {
  if (lang !== 'en') return Promise.resolve()
  english ??= fetchEnglish().catch((error) => {
    english = undefined
    throw error
  })
  return english
}

let wanted: Lang = 'zh-cn'

/** Switches the language as soon as its texts are loaded; the last request wins. */
export const setLanguage = async (lang: Lang): Promise<void> => {
  wanted = lang
  await fetchTexts(lang)
  if (wanted === lang) await i18n.changeLanguage(lang)
}

const subscribe = (changed: () => void) => {
  i18n.on('languageChanged', changed)
  return () => i18n.off('languageChanged', changed)
}
const spoken = (): Lang => (i18n.language === 'en' ? 'en' : 'zh-cn')

/** The language shown now; the component renders again when it changes. */
export const useLang = (): Lang => useSyncExternalStore(subscribe, spoken, spoken)
