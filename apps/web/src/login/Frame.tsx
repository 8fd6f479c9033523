import { type ReactNode, useEffect, useState } from 'react'
import { version } from '../version.ts'
import { icons, Mark } from './icons.tsx'
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

/** The stage every form of this page stands on: what the product is, on the left or above, and the switches. */
export const Frame = ({ title, site, children }: { title: string; site?: string | undefined; children: ReactNode }) => {
  const { t } = useLanguage()
  useEffect(() => {
    document.title = `${title} - ${t.pageTitle}`
  }, [title, t])
  return (
    <div className="stage">
      <header className="brand">
        <p className="name">
          <Mark />
          <span>{site ?? t.product}</span>
        </p>
        <div className="pitch">
          <p className="headline">{t.headline}</p>
          <p className="summary">{t.summary}</p>
          <ol className="course">
            {t.course.map((stop) => (
              <li key={stop}>{stop}</li>
            ))}
          </ol>
        </div>
        <svg className="waves" viewBox="0 0 400 400" aria-hidden="true" focusable="false">
          {[60, 110, 160, 210, 260].map((radius) => (
            <circle key={radius} cx="330" cy="330" r={radius} />
          ))}
        </svg>
      </header>
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
    </div>
  )
}
