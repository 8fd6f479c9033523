import { WarnRecordRow } from '@tocsin/contract/alarm/record'
import type { RecordDetail } from '@tocsin/contract/alarm/records'
import { labelIn } from '@tocsin/contract/field'
import { Flex, Typography } from 'antd'
import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'react-router'
import { useLang } from '#texts/i18n.ts'

/** Links to merged and linked records; `at` is the address parameter of the open one. */
export const Related = ({ detail, at }: { detail: RecordDetail; at: 'id' | 'record' }) => {
  const { t } = useTranslation()
  const lang = useLang()
  const [params] = useSearchParams()
  const { merged, mergedInto, linked, linkedFrom } = detail
  const searchOf = (id: number) => {
    const next = new URLSearchParams(params)
    next.set(at, String(id))
    return `?${next.toString()}`
  }
  const groups = [
    { title: labelIn(lang, WarnRecordRow.shape.mergedIntoId), list: mergedInto ? [mergedInto] : [] },
    { title: labelIn(lang, WarnRecordRow.shape.linkedRecordId), list: [...(linked ? [linked] : []), ...linkedFrom] },
    { title: t('alarm.merged'), list: merged },
  ].filter(({ list }) => list.length > 0)
  if (groups.length === 0) return null
  return (
    <Flex vertical gap={4}>
      {groups.map(({ title, list }) => (
        <Flex key={title} gap="small" wrap align="baseline">
          <Typography.Text type="secondary">{title}</Typography.Text>
          {list.map(({ id, no }) => (
            <Link key={id} to={{ search: searchOf(id) }}>
              {no}
            </Link>
          ))}
        </Flex>
      ))}
    </Flex>
  )
}
