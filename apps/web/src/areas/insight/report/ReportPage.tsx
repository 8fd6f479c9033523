import { MailOutlined, PlusOutlined } from '@ant-design/icons'
import { ReportQuery, reports } from '@tocsin/contract/insight/report'
import { reportSubjectTypes } from '@tocsin/contract/insight/report-labels'
import { reportKinds } from '@tocsin/contract/insight/report-period'
import { Button, Input } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { queryFor } from '#api/query.ts'
import { useHasPermission } from '#api/session.ts'
import { DayPicker } from '#ui/dates/DayPicker.tsx'
import { EnumSelect, Filter } from '#ui/list/filters.tsx'
import { ListPage } from '#ui/list/ListPage.tsx'
import { RowActions } from '#ui/list/RowActions.tsx'
import { IssueDrawer } from './IssueDrawer.tsx'
import { reportColumns } from './report-columns.tsx'
import { SubscriptionDrawer } from './SubscriptionDrawer.tsx'

const filters = (
  <>
    <Filter of={ReportQuery} name="keyword">
      <Input allowClear maxLength={64} />
    </Filter>
    <Filter of={ReportQuery} name="subjectType">
      <EnumSelect kind="reportSubjectType" values={reportSubjectTypes} />
    </Filter>
    <Filter of={ReportQuery} name="kind">
      <EnumSelect kind="reportCycle" values={reportKinds} />
    </Filter>
    <Filter of={ReportQuery} name="day">
      <DayPicker />
    </Filter>
  </>
)

/** Issued reports, the latest period first. */
export const ReportPage = () => {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const mayIssue = useHasPermission('insight:report:create')
  const [drawer, setDrawer] = useState<'issue' | 'subscriptions'>()
  const close = () => setDrawer(undefined)
  const open = (id: number) => void navigate(`/insight/report/${id}`)
  const issue = mayIssue && (
    <Button type="primary" icon={<PlusOutlined />} onClick={() => setDrawer('issue')}>
      {t('report.issue')}
    </Button>
  )
  return (
    <>
      <ListPage
        query={ReportQuery}
        source={(query) => queryFor(reports.page, { query })}
        columns={reportColumns}
        rowKey={({ id }) => id}
        filters={filters}
        left={
          <>
            {issue}
            <Button icon={<MailOutlined />} onClick={() => setDrawer('subscriptions')}>
              {t('report.subscriptions')}
            </Button>
          </>
        }
        onOpen={({ id }) => open(id)}
        actions={({ id }) => <RowActions items={[{ key: 'detail', label: t('list.detail'), run: () => open(id) }]} />}
        empty={{ text: t(mayIssue ? 'report.none' : 'report.noneToRead'), next: issue }}
      />
      {drawer === 'issue' && <IssueDrawer onClose={close} />}
      {drawer === 'subscriptions' && <SubscriptionDrawer onClose={close} />}
    </>
  )
}
