import { Typography } from 'antd'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useLang } from '#texts/i18n.ts'
import { stamp } from '#ui/time.ts'
import { differenceOf, type State } from './difference.ts'
import { fieldName } from './field-names.ts'

const isInstant = (key: string, value: unknown): value is number =>
  typeof value === 'number' && value > 1e11 && /(?:At|Time|Until)$/.test(key)

const Value = ({ name, value }: { name: string; value: unknown }): ReactNode => {
  const { t } = useTranslation()
  if (value === null || value === undefined || value === '')
    return <Typography.Text type="secondary">{t('log.nothing')}</Typography.Text>
  if (typeof value === 'boolean') return t(value ? 'list.yes' : 'list.no')
  if (isInstant(name, value)) return stamp(value)
  if (Array.isArray(value) && value.every((one) => typeof one !== 'object')) return value.join(', ') || t('log.nothing')
  if (typeof value === 'object') return <pre>{JSON.stringify(value, null, 2)}</pre>
  return String(value)
}

type Props = { subject: string | null; before: State; after: State }

/** Old and new side by side, on a phone below each other; what stayed as it was is only counted. */
export const Difference = ({ subject, before, after }: Props) => {
  const { t } = useTranslation()
  const lang = useLang()
  const { changed, unchanged } = differenceOf(before, after)
  if (!before && !after) return null
  const both = before !== null && after !== null
  const title = both ? 'log.changes' : after ? 'log.content' : 'log.removed'
  return (
    <section aria-label={t(title)}>
      <Typography.Title level={5}>{t(title)}</Typography.Title>
      {changed.length > 0 && (
        <table className="difference" data-both={both}>
          <thead>
            <tr>
              <th scope="col">{t('log.field')}</th>
              {before && <th scope="col">{t(both ? 'log.before' : 'log.value')}</th>}
              {after && <th scope="col">{t(both ? 'log.after' : 'log.value')}</th>}
            </tr>
          </thead>
          <tbody>
            {changed.map((one) => (
              <tr key={one.key}>
                <th scope="row">{fieldName(subject, one.key, lang)}</th>
                {before && (
                  <td data-side={both ? 'before' : 'only'}>
                    <Value name={one.key} value={one.before} />
                  </td>
                )}
                {after && (
                  <td data-side={both ? 'after' : 'only'}>
                    <Value name={one.key} value={one.after} />
                  </td>
                )}
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {both && <Typography.Text type="secondary">{t('log.unchanged', { n: unchanged })}</Typography.Text>}
    </section>
  )
}
