import { buttonTests, type TestResultRow } from '@tocsin/contract/device/button-test'
import type { Data } from '@tocsin/contract/endpoint'
import { useQuery } from '@tanstack/react-query'
import { Alert, Button, Card, Flex, Progress } from 'antd'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import { inlineQuery, useApiMutation } from '#api/query.ts'
import { useHasPermission } from '#api/session.ts'
import { usePageTitle } from '#shell/page-title.ts'
import { confirm } from '#ui/confirm.ts'
import { EnumTag } from '#ui/EnumTag.tsx'
import { QueryResult } from '#ui/result/QueryResult.tsx'
import { WorkflowPage } from '#ui/workflow/WorkflowPage.tsx'
import { formatDateTime, formatTime } from '#ui/time.ts'
import '../device.css'

type Plan = Data<typeof buttonTests.get>

/** Presses emit no event: the grid polls at this interval while the window is open. */
const GRID_POLL_MS = 3_000

const Result = ({ row, isOpen, next }: { row: TestResultRow; isOpen: boolean; next: boolean }) => {
  const { t } = useTranslation()
  const mayRecord = useHasPermission('device:test:create')
  const { mutate, isPending } = useApiMutation(buttonTests.record)
  const missing = row.result === 'PENDING'
  const canRecord = isOpen && mayRecord && (missing || row.result === 'NOT_RECEIVED')
  return (
    <Card size="small" {...(next && { style: { borderWidth: 2, borderColor: 'var(--ant-color-primary)' } })}>
      <Flex vertical gap={4}>
        <strong style={next ? { fontSize: 20 } : undefined}>{row.placePath}</strong>
        <span className="device-sn">{row.sn}</span>
        <Flex gap="small" align="center" justify="space-between" wrap>
          <EnumTag kind="testResult" value={row.result} />
          {row.at && <span>{formatTime(row.at)}</span>}
        </Flex>
        {canRecord && (
          <Button
            style={{ minHeight: 44 }}
            loading={isPending}
            onClick={() => mutate({ body: { id: row.id, received: !missing } })}
          >
            {t(missing ? 'device.pressedNothing' : 'device.takeBack')}
          </Button>
        )}
      </Flex>
    </Card>
  )
}

const Verbs = ({ plan }: { plan: Plan }) => {
  const { t } = useTranslation()
  const tell = useApiMutation(buttonTests.tell)
  const close = useApiMutation(buttonTests.close)
  const body = { id: plan.id, version: plan.version }
  const ask = async () => {
    if (await confirm({ title: t('device.closeTestAsk'), text: t('device.closeTestHelp'), yes: t('device.closeTest') }))
      close.mutate({ body })
  }
  return plan.stationToldAt ? (
    <Button type="primary" loading={close.isPending} onClick={() => void ask()}>
      {t('device.closeTest')}
    </Button>
  ) : (
    <Button type="primary" loading={tell.isPending} onClick={() => tell.mutate({ body })}>
      {t('device.tellStation')}
    </Button>
  )
}

const Detail = ({ plan }: { plan: Plan }) => {
  const { t } = useTranslation()
  const mayPlan = useHasPermission('device:test:create')
  const isOpen = plan.closedAt === null
  const next = isOpen ? plan.results.find(({ result }) => result === 'PENDING') : undefined
  return (
    <WorkflowPage
      title={plan.schoolName}
      tags={<EnumTag kind="testPlanState" value={plan.state} />}
      subtitle={`${formatDateTime(plan.windowFrom)} – ${formatDateTime(plan.windowTo)}`}
      actions={isOpen && mayPlan && <Verbs plan={plan} />}
    >
      <Flex vertical gap="middle">
        {isOpen && !plan.stationToldAt && <Alert type="warning" showIcon title={t('device.stationFirst')} />}
        {plan.state === 'RUNNING' && <Alert type="info" showIcon title={t('device.windowBanner')} />}
        <Progress
          percent={Math.round((plan.passed / Math.max(plan.total, 1)) * 100)}
          format={() => `${plan.passed}/${plan.total}`}
          aria-label={t('device.passedOf', { passed: plan.passed, total: plan.total })}
        />
        <div className="result-grid">
          {plan.results.map((row) => (
            <Result key={row.id} row={row} isOpen={isOpen} next={row === next} />
          ))}
        </div>
      </Flex>
    </WorkflowPage>
  )
}

/** One test with its devices in walking order, the next one large; presses fill the grid. */
export const ButtonTestDetailPage = () => {
  const { id } = useParams()
  const query = useQuery({
    ...inlineQuery(buttonTests.get, { query: { id: Number(id) } }),
    refetchInterval: ({ state }) => (state.data?.state === 'RUNNING' ? GRID_POLL_MS : false),
  })
  const school = query.data?.schoolName
  usePageTitle(school ? { name: school, nameEn: school } : undefined)
  return <QueryResult query={query}>{(plan) => <Detail plan={plan} />}</QueryResult>
}
