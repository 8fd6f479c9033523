import type { Lang } from '@tocsin/contract/field'
import { createInstance } from 'i18next'
import { initReactI18next, useTranslation } from 'react-i18next'
import { en } from './en.ts'
import type { later } from './later.ts'
import { zhCn } from './zh-cn.ts'

declare module 'i18next' {
  interface CustomTypeOptions {
    resources: { translation: typeof zhCn & (typeof later)['zh-cn'] }
  }
}

export const i18n = createInstance({
  resources: { 'zh-cn': { translation: zhCn }, en: { translation: en } },
  lng: 'zh-cn',
  lowerCaseLng: true,
  load: 'currentOnly',
  fallbackLng: false,
  // React escapes already; one brace as in the contract's sentences.
  interpolation: { escapeValue: false, prefix: '{', suffix: '}' },
})
i18n.use(initReactI18next)
void i18n.init()

/** The language shown now; the component renders again when it changes. */
export const useLang = (): Lang => {
  const { i18n: now } = useTranslation()
  return now.language === 'en' ? 'en' : 'zh-cn'
}
