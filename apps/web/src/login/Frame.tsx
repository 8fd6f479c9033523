import { type ReactNode, useEffect, useState } from 'react'
import { version } from '../version.ts'
import { icons } from './icons.tsx'
import { useLanguage } from './text/language.tsx'
import { useTheme } from './theme.ts'

const Switches = () => {
  const { t, language, choose } = useLanguage()
  const { theme, step } = useTheme()
  const [switched, setSwitched] = useState(0)
  const themeText = { light: t.themeLight, dark: t.themeDark, auto: t.themeAuto }[theme]
  return (
    <div className="switches">
      <button
        type="button"
        aria-label={t.switchLanguageLabel}
        lang={language === 'en' ? 'zh-CN' : 'en'}
        onClick={() => {
          choose(language === 'en' ? 'zh-cn' : 'en')
          setSwitched((times) => times + 1)
        }}
      >
        {icons.globe}
        <span>{t.switchLanguage}</span>
      </button>
      <button type="button" aria-label={themeText} title={themeText} onClick={step}>
        {icons[theme]}
      </button>
      <div role="status" className="toasts">
        {/* A new key starts the animation, which also takes the message away after 3 s [spec 9]. */}
        {switched > 0 && (
          <p key={switched} className="toast">
            {t.languageSwitched}
          </p>
        )}
      </div>
    </div>
  )
}

/** The name of this installation, over the product's; Brand.tsx is in the page before React. */
const useSite = (site: string | undefined) =>
  useEffect(() => {
    if (site === undefined) return
    for (const name of document.querySelectorAll('.brand .name span')) name.textContent = site
  }, [site])

/** The frame of every form of this page, beside the description of the product. */
export const Frame = ({ title, site, children }: { title: string; site?: string | undefined; children: ReactNode }) => {
  const { t } = useLanguage()
  useEffect(() => {
    document.title = `${title} - ${t.pageTitle}`
  }, [title, t])
  useSite(site)
  return (
    <main>
      <Switches />
      <section className="card">
        <h1>{title}</h1>
        {children}
      </section>
      <footer>
        {site ?? t.product} <span className="version">v{version}</span>
      </footer>
    </main>
  )
}
