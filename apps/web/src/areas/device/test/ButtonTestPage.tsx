import { buttonTests, TestPlanQuery, TestPlanRow } from '@tocsin/contract/device/button-test'
import { PlusOutlined } from '@ant-design/icons'
import { Button, Flex } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate } from 'react-router'
import { queryFor } from '#api/query.ts'
import { useHasPermission } from '#api/session.ts'
import { column } from '#ui/column.tsx'
import { Filter, YesNo } from '#ui/list/filters.tsx'
import { ListPage } from '#ui/list/ListPage.tsx'
import { RowActions } from '#ui/list/RowActions.tsx'
import { useDeletion } from '#ui/prompt/use-deletion.ts'
import { SchoolSelect } from '#ui/SchoolSelect.tsx'
import { DEVICE_POLL_MS } from '../device-polling.ts'
import { PlanDialog } from './PlanDialog.tsx'

const columns = [
  column(TestPlanRow, 'schoolName', { main: true }),
  column(TestPlanRow, 'state', { tag: 'testPlanState' }),
  column(TestPlanRow, 'windowFrom'),
  column(TestPlanRow, 'windowTo'),
  column(TestPlanRow, 'stationToldAt', { wideOnly: true }),
  column(TestPlanRow, 'passed', { figure: true, show: (passed, { total }) => `${passed}/${total}` }),
  column(TestPlanRow, 'note', { wideOnly: true }),
]

const filters = (
  <>
    <Filter of={TestPlanQuery} name="schoolId">
      <SchoolSelect />
    </Filter>
    <Filter of={TestPlanQuery} name="open">
      <YesNo />
    </Filter>
  </>
)

/** Button tests by school; overdue devices are a filter of the installed ones. */
export const ButtonTestPage = () => {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const mayPlan = useHasPermission('device:test:create')
  const [planning, setPlanning] = useState(false)
  const remove = useDeletion(buttonTests.delete)
  const create = mayPlan && (
    <Button type="primary" icon={<PlusOutlined />} onClick={() => setPlanning(true)}>
      {t('device.planTest')}
    </Button>
  )
  return (
    <>
      <ListPage
        query={TestPlanQuery}
        source={(query) => queryFor(buttonTests.page, { query })}
        everyMs={DEVICE_POLL_MS}
        columns={columns}
        rowKey={({ id }) => id}
        filters={filters}
        left={
          <Flex gap="small" align="center" wrap>
            {create}
            <Link to="/device/schoolDevice?testOverdue=true">{t('device.overdueList')}</Link>
          </Flex>
        }
        onOpen={({ id }) => void navigate(`/device/test/${id}`)}
        actions={(plan) => (
          <RowActions
            items={[
              { key: 'detail', label: t('list.detail'), run: () => void navigate(`/device/test/${plan.id}`) },
              mayPlan &&
                ['SCHEDULED', 'NOTIFIED'].includes(plan.state) && {
                  key: 'delete',
                  label: t('list.delete'),
                  run: () => void remove(plan.id, plan.schoolName),
                  danger: true,
                },
            ]}
          />
        )}
        empty={{ text: t('device.noTests'), next: create }}
      />
      {planning && <PlanDialog onClose={() => setPlanning(false)} />}
    </>
  )
}
