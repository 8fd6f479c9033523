import { bucketLimits, type BucketStep, SituationTimes as Times } from '@tocsin/contract/police/report'
import { labelIn } from '@tocsin/contract/field'
import type { SituationQuery } from '@tocsin/contract/police/situation'
import { situations } from '@tocsin/contract/police/situations'
import { useQuery } from '@tanstack/react-query'
import { Button, Drawer, Flex, Typography } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { inlineQuery } from '#api/query.ts'
import { useLang } from '#texts/i18n.ts'
import { QueryResult } from '#ui/result/QueryResult.tsx'
import { percent } from './percent.ts'
import './situation-times.css'

const steps = Object.keys(bucketLimits) as BucketStep[]

/** `30 s`, `5 min`, `2 h`. */
const useLimitText = () => {
  const { t } = useTranslation()
  return (seconds: number): string => {
    if (seconds <= 180) return t('police.seconds', { n: seconds })
    return seconds < 7200 ? t('police.minutes', { n: seconds / 60 }) : t('police.hours', { n: seconds / 3600 })
  }
}

const Bars = ({ step, counts }: { step: BucketStep; counts: readonly number[] }) => {
  const { t } = useTranslation()
  const lang = useLang()
  const text = useLimitText()
  const limits: readonly number[] = bucketLimits[step]
  const name = (from: number | undefined, limit: number | undefined): string => {
    if (limit === undefined) return t('police.longerThan', { limit: text(from ?? 0) })
    if (from === undefined) return t('police.upTo', { limit: text(limit) })
    return t('police.between', { from: text(from), limit: text(limit) })
  }
  const all = counts.reduce((sum, count) => sum + count, 0)
  return (
    <table className="situation-times">
      <caption>{labelIn(lang, Times.shape[step])}</caption>
      <tbody>
        {counts.map((count, at) => {
          const label = name(limits[at - 1], limits[at])
          return (
            <tr key={label}>
              <th scope="row">{label}</th>
              <td className="situation-times-bar">
                <span style={{ width: percent(count, all).replace('–', '0') }} />
              </td>
              <td className="situation-times-figure">{count}</td>
              <td className="situation-times-figure">{percent(count, all)}</td>
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}

const Content = ({ times }: { times: Times }) => {
  const { t } = useTranslation()
  const { total, arriveMet, arriveLate, slowest } = times
  const text = useLimitText()
  return (
    <Flex vertical gap="large">
      <Typography.Text>{t('police.timesOf', { n: total })}</Typography.Text>
      {steps.map((step) => (
        <Bars key={step} step={step} counts={times[step]} />
      ))}
      <Typography.Text>
        {t('police.arrivedInTime', { rate: percent(arriveMet, arriveMet + arriveLate), late: arriveLate })}
      </Typography.Text>
      {slowest && (
        <Typography.Text>
          {t('police.slowest', { unit: slowest.unitName, time: text(slowest.seconds) })}{' '}
          <Link to={`/police/situation/detail/${slowest.situationId}`}>{slowest.no}</Link>
        </Typography.Text>
      )}
    </Flex>
  )
}

const TimesDrawer = ({ query, onClose }: { query: SituationQuery; onClose: () => void }) => {
  const { t } = useTranslation()
  const found = useQuery(inlineQuery(situations.times, { query }))
  return (
    <Drawer open title={t('police.times')} size="min(560px, 100vw)" onClose={onClose}>
      <QueryResult query={found}>{(times) => <Content times={times} />}</QueryResult>
    </Drawer>
  )
}

/** How long the incidents took that the list shows. */
export const TimesButton = ({ query }: { query: SituationQuery }) => {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button onClick={() => setOpen(true)}>{t('police.times')}</Button>
      {isOpen && <TimesDrawer query={query} onClose={() => setOpen(false)} />}
    </>
  )
}
