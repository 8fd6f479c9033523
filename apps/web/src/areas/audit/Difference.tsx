import { Typography } from 'antd'
import { useTranslation } from 'react-i18next'
import { useLang } from '#texts/i18n.ts'
import { diffStates, type State } from './difference.ts'
import { fieldName } from './field-names.ts'
import { useIdNames } from './id-names.ts'
import { Value } from './Value.tsx'

type Props = { subject: string | null; before: State; after: State }

/** Old and new side by side, on a phone below each other; unchanged fields are only counted. */
export const Difference = ({ subject, before, after }: Props) => {
  const { t } = useTranslation()
  const lang = useLang()
  const { changed, unchanged } = diffStates(before, after)
  const idName = useIdNames(
    subject,
    changed.map(({ key }) => key),
  )
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
            {changed.map((item) => {
              const of = { subject, name: item.key, nameOf: (id: number) => idName(item.key, id) }
              return (
                <tr key={item.key}>
                  <th scope="row">{fieldName(subject, item.key, lang)}</th>
                  {before && (
                    <td data-side={both ? 'before' : 'only'}>
                      <Value of={of} value={item.before} other={item.after} />
                    </td>
                  )}
                  {after && (
                    <td data-side={both ? 'after' : 'only'}>
                      <Value of={of} value={item.after} other={item.before} />
                    </td>
                  )}
                </tr>
              )
            })}
          </tbody>
        </table>
      )}
      {both && unchanged > 0 && (
        <Typography.Text type="secondary">{t('log.unchanged', { n: unchanged })}</Typography.Text>
      )}
    </section>
  )
}
