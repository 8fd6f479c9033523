import { Typography } from 'antd'
import { useTranslation } from 'react-i18next'
import { sections } from './sections.ts'
import './docs.css'

/** How to use the console, in five minutes. */
export const DocumentPage = () => {
  const { t } = useTranslation()
  return (
    <article className="guide">
      <Typography.Title level={2} style={{ fontSize: 26 }}>
        {t('guide.title')}
      </Typography.Title>
      <Typography.Paragraph>{t('guide.intro')}</Typography.Paragraph>
      <nav aria-label={t('guide.contents')}>
        <ul className="guide-contents">
          {sections.map(({ id, title }) => (
            <li key={id}>
              <a href={`#${id}`}>{t(title)}</a>
            </li>
          ))}
        </ul>
      </nav>
      {sections.map(({ id, title, steps }) => (
        <section key={id} id={id}>
          <h3>{t(title)}</h3>
          <ol>
            {steps.map((step) => (
              <li key={step}>{t(step)}</li>
            ))}
          </ol>
        </section>
      ))}
    </article>
  )
}
