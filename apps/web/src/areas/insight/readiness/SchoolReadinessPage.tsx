import { readinessWeights } from '@tocsin/contract/insight/weights/readiness-weights'
import {
  deviceReasons,
  readiness,
  type ReadinessCode,
  schoolScore,
  type SchoolReadinessDetail,
  scoreWithout,
} from '@tocsin/contract/insight/readiness'
import { useQuery } from '@tanstack/react-query'
import { Alert, Button, Flex, Progress, Typography } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import { inlineQuery } from '#api/query.ts'
import { useHasPermission } from '#api/session.ts'
import { usePageTitle } from '#shell/page-title.ts'
import { QueryResult } from '#ui/result/QueryResult.tsx'
import { ReadinessBadge, readinessTone } from '#ui/readiness/ReadinessBadge.tsx'
import { WorkflowPage } from '#ui/workflow/WorkflowPage.tsx'
import { DeviceScores } from './DeviceScores.tsx'
import { ReasonList } from './ReasonList.tsx'
import { TrendChart } from './TrendChart.tsx'
import { useOpenOrders } from './use-open-orders.ts'
import './readiness.css'

const withoutOrder = ({ deviceList }: SchoolReadinessDetail, done: ReadonlySet<ReadinessCode>): number[] =>
  deviceList
    .filter(({ orderId, reasons }) =>
      orderId === null ? reasons.some(({ code }) => done.has(code) && deviceReasons.includes(code)) : false,
    )
    .map(({ deviceId }) => deviceId)

const Simulator = ({ school, done }: { school: SchoolReadinessDetail; done: ReadonlySet<ReadinessCode> }) => {
  const { t } = useTranslation()
  const mayOrder = useHasPermission('device:maintenance:create')
  const { openOrders, isOpening } = useOpenOrders()
  const score = schoolScore(school.deviceList.map(({ reasons }) => scoreWithout(reasons, done))) ?? school.score
  const devices = withoutOrder(school, done)
  return (
    <Flex vertical gap="small" align="center" className="readiness-ring">
      <Progress
        type="circle"
        percent={score}
        className={`readiness-${readinessTone(score)}`}
        strokeColor="var(--readiness-ring)"
        format={() => score}
        aria-label={t('readiness.badge', { score })}
      />
      <Typography.Text aria-live="polite">
        {done.size > 0 ? t('readiness.simulated', { score }) : t('readiness.simulateHelp')}
      </Typography.Text>
      {mayOrder && devices.length > 0 && (
        <Button type="primary" loading={isOpening} onClick={() => void openOrders(devices)}>
          {t('readiness.openOrders', { n: devices.length })}
        </Button>
      )}
    </Flex>
  )
}

/** By which weights the values of the school were computed. */
const UsedWeights = ({ version }: { version: number }) => {
  const { t } = useTranslation()
  const { data } = useQuery(inlineQuery(readinessWeights.get, {}))
  const isOutdated = data && data.current.version !== version
  return <>{t(isOutdated ? 'weights.outdated' : 'weights.ofVersion', { n: version })}</>
}

const Detail = ({ school }: { school: SchoolReadinessDetail }) => {
  const { t } = useTranslation()
  const [done, setDone] = useState<ReadonlySet<ReadinessCode>>(new Set())
  const toggle = (code: ReadinessCode) => {
    const next = new Set(done)
    if (!next.delete(code)) next.add(code)
    setDone(next)
  }
  return (
    <WorkflowPage
      title={school.schoolName}
      tags={<ReadinessBadge prefix score={school.score} schoolId={school.schoolId} />}
      subtitle={
        <>
          {t('readiness.counts', { n: school.devices, low: school.low })} ·{' '}
          <UsedWeights version={school.weightsVersion} />
        </>
      }
    >
      <Flex vertical gap="middle">
        {school.reasons.length === 0 ? (
          <Alert type="success" showIcon title={t('readiness.allReady')} />
        ) : (
          <div className="readiness-head">
            <Simulator school={school} done={done} />
            <ReasonList school={school} done={done} onToggle={toggle} />
          </div>
        )}
        <TrendChart days={school.days} />
        <DeviceScores devices={school.deviceList} />
      </Flex>
    </WorkflowPage>
  )
}

/** The readiness of one school: its deductions, how to fix them, and a simulation. */
export const SchoolReadinessPage = () => {
  const { id } = useParams()
  const query = useQuery(inlineQuery(readiness.get, { query: { schoolId: Number(id) } }))
  const name = query.data?.schoolName
  usePageTitle(name ? { name, nameEn: name } : undefined)
  return <QueryResult query={query}>{(school) => <Detail school={school} />}</QueryResult>
}
