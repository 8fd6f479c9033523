import { Mark } from './icons.tsx'
import type { Texts } from './text/texts.ts'

/**
 * What the product is, on the left or above. The build writes it into the page in each language, so that it is visible
 * before any script; React never renders it again.
 */
export const Brand = ({ t, lang }: { t: Texts; lang: string }) => (
  <header className="brand" lang={lang}>
    <p className="name">
      <Mark />
      <span>{t.product}</span>
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
)
