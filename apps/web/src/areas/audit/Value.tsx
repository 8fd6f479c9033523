import { Typography } from 'antd'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useLang } from '#texts/i18n.ts'
import { enumLabel } from '#texts/enum-labels.ts'
import { RichText } from '#ui/rich/RichText.tsx'
import { formatDateTime } from '#ui/time.ts'
import { isLong } from './difference.ts'
import { enumKindOf } from './field-names.ts'

const isInstant = (key: string, value: unknown): value is number =>
  typeof value === 'number' && value > 1e11 && /(?:At|Time|Until)$/.test(key)

/** Rich texts with headings and pictures. */
const isRich = (subject: string | null, key: string) =>
  key === 'content' && (subject === 'notice' || subject === 'demo_text')

type Of = { subject: string | null; name: string; nameOf: (id: number) => string | undefined }

const Nothing = () => {
  const { t } = useTranslation()
  return <Typography.Text type="secondary">{t('log.nothing')}</Typography.Text>
}

type ListProps = { of: Of; list: readonly unknown[]; other: unknown }

/** Of a list too long to compare by eye, only the entries that the other side lacks. */
const List = ({ of: { nameOf }, list, other }: ListProps) => {
  const { t } = useTranslation()
  if (list.length === 0) return <Nothing />
  const shown = isLong(list, other) ? list.filter((item) => !other.includes(item)) : list
  const named = shown.map((item) => ({ one: item, name: typeof item === 'number' ? nameOf(item) : undefined }))
  const texts = named.map(({ one, name }) => (name === undefined ? String(one) : `${name} #${String(one)}`))
  return (
    <>
      {/* Names are listed one per line, numbers in one line. */}
      {texts.length > 0 && <div>{texts.join(named.some(({ name }) => name !== undefined) ? '\n' : ', ')}</div>}
      {shown.length < list.length && (
        <Typography.Text type="secondary">{t('log.sameOnes', { n: list.length - shown.length })}</Typography.Text>
      )}
    </>
  )
}

type Props = {
  of: Of
  value: unknown
  /** The value on the other side. */
  other: unknown
}

/** A column value in readable form. */
export const Value = ({ of, value, other }: Props): ReactNode => {
  const { t } = useTranslation()
  const lang = useLang()
  const { subject, name, nameOf } = of
  const kind = enumKindOf(subject, name)
  if (value === null || value === undefined || value === '') return <Nothing />
  if (typeof value === 'boolean') return t(value ? 'list.yes' : 'list.no')
  if (isInstant(name, value)) return formatDateTime(value)
  if (kind && (typeof value === 'string' || typeof value === 'number')) return enumLabel(kind, value, lang)
  if (isRich(subject, name) && typeof value === 'string') return <RichText html={value} />
  if (typeof value === 'number' && nameOf(value) !== undefined) return `${nameOf(value)} #${value}`
  if (Array.isArray(value) && value.every((item) => typeof item !== 'object'))
    return <List of={of} list={value} other={other} />
  if (typeof value === 'object') return <pre>{JSON.stringify(value, null, 2)}</pre>
  return String(value)
}
