import { createContext, type ReactNode, use, useEffect, useState } from 'react'
import { savePreference as keep, getLocalItem } from '../storage.ts'
import { type Language, languages, texts } from './texts.ts'

const readLanguage = (): Language => languages.find((language) => language === getLocalItem('language')) ?? 'zh-cn'

const LanguageContext = createContext<{ language: Language; choose: (language: Language) => void }>({
  language: 'zh-cn',
  choose: () => {},
})

/** Provides the language of the page; the application stores it as the preference `language`. */
export const LanguageProvider = ({ children }: { children: ReactNode }) => {
  const [language, setLanguage] = useState(readLanguage)
  useEffect(() => {
    document.documentElement.lang = language === 'en' ? 'en' : 'zh-CN'
  }, [language])
  const choose = (next: Language) => {
    keep('language', next)
    setLanguage(next)
  }
  return <LanguageContext value={{ language, choose }}>{children}</LanguageContext>
}

export const useLanguage = () => {
  const { language, choose } = use(LanguageContext)
  return { language, choose, t: texts[language] }
}
