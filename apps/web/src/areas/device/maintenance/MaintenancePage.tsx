import { MaintenanceQuery, maintenanceCauses, maintenancePriorities } from '@tocsin/contract/device/maintenance'
import { maintenanceOrders } from '@tocsin/contract/device/maintenance-calls'
import { maintenanceStates } from '@tocsin/contract/device/maintenance-machine'
import { PlusOutlined } from '@ant-design/icons'
import { useQuery } from '@tanstack/react-query'
import { Button, Flex, Input, Segmented, Typography } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate, useSearchParams } from 'react-router'
import { inlineQuery, queryFor } from '#api/query.ts'
import { useHasPermission } from '#api/session.ts'
import { ExportButton } from '#ui/export/ExportButton.tsx'
import { EnumSelect, Filter, YesNo } from '#ui/list/filters.tsx'
import { ListPage } from '#ui/list/ListPage.tsx'
import { RowActions } from '#ui/list/RowActions.tsx'
import { SchoolSelect } from '#ui/SchoolSelect.tsx'
import '../device.css'
import { maintenanceColumns } from './maintenance-columns.tsx'
import { OrderDialog } from './OrderDialog.tsx'

const filters = (
  <>
    <Filter of={MaintenanceQuery} name="keyword">
      <Input allowClear maxLength={40} />
    </Filter>
    <Filter of={MaintenanceQuery} name="state">
      <EnumSelect kind="maintenanceState" values={maintenanceStates} />
    </Filter>
    <Filter of={MaintenanceQuery} name="schoolId">
      <SchoolSelect />
    </Filter>
    <Filter of={MaintenanceQuery} name="cause">
      <EnumSelect kind="maintenanceCause" values={maintenanceCauses} />
    </Filter>
    <Filter of={MaintenanceQuery} name="priority">
      <EnumSelect kind="maintenancePriority" values={maintenancePriorities} />
    </Filter>
    <Filter of={MaintenanceQuery} name="mine">
      <YesNo />
    </Filter>
    <Filter of={MaintenanceQuery} name="overdue">
      <YesNo />
    </Filter>
  </>
)

const views = {
  all: '',
  mine: 'mine=true',
  route: 'mine=true&route=true',
  overdue: 'overdue=true',
  toVerify: 'state=DONE',
} as const
const texts = {
  all: 'maintenance.everything',
  mine: 'maintenance.mine',
  route: 'maintenance.route',
  overdue: 'maintenance.overdueOnes',
  toVerify: 'maintenance.toVerify',
} as const
type View = keyof typeof views

/** The most used filters, one tap each; they are in the address. */
const Views = () => {
  const { t } = useTranslation()
  const [params, setParams] = useSearchParams()
  const names = Object.keys(views) as View[]
  const current = names.find((name) => name !== 'all' && params.toString() === views[name]) ?? 'all'
  return (
    <Segmented<View>
      aria-label={t('maintenance.views')}
      value={current}
      options={names.map((value) => ({ value, label: t(texts[value]) }))}
      onChange={(name) => setParams(views[name])}
    />
  )
}

const Figures = () => {
  const { t } = useTranslation()
  const { data } = useQuery(inlineQuery(maintenanceOrders.figures))
  if (!data) return null
  return (
    <Typography.Text type="secondary">
      {t('maintenance.figures', { ...data, hours: data.repairHours ?? '–' })}
    </Typography.Text>
  )
}

/** Maintenance orders, unfinished ones first. */
export const MaintenancePage = () => {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const mayCreate = useHasPermission('device:maintenance:create')
  const [creating, setCreating] = useState(false)
  const create = mayCreate && (
    <Button type="primary" icon={<PlusOutlined />} onClick={() => setCreating(true)}>
      {t('maintenance.create')}
    </Button>
  )
  return (
    <>
      <ListPage
        query={MaintenanceQuery}
        source={(query) => queryFor(maintenanceOrders.page, { query })}
        columns={maintenanceColumns}
        rowKey={({ id }) => id}
        filters={filters}
        left={
          <Flex gap="small" wrap align="center">
            {create}
            <Views />
            <Figures />
          </Flex>
        }
        exporting={(query) => <ExportButton calls={maintenanceOrders} query={query} />}
        onOpen={({ id }) => void navigate(`/device/maintenance/${id}`)}
        actions={({ id }) => (
          <RowActions
            items={[{ key: 'detail', label: t('list.detail'), run: () => void navigate(`/device/maintenance/${id}`) }]}
          />
        )}
        empty={{ text: t('maintenance.none'), next: create }}
      />
      {creating && <OrderDialog onClose={() => setCreating(false)} />}
    </>
  )
}
