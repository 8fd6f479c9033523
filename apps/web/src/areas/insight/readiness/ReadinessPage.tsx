import { readiness, ReadinessQuery } from '@tocsin/contract/insight/readiness'
import { Button, Input } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { queryFor } from '#api/query.ts'
import { DeptSelect } from '#areas/access/DeptSelect.tsx'
import { usePathOf } from '#shell/path-of.ts'
import { Filter, YesNo } from '#ui/list/filters.tsx'
import { lazyComponent } from '#ui/lazy/lazy-component.tsx'
import { ListPage } from '#ui/list/ListPage.tsx'
import { RowActions } from '#ui/list/RowActions.tsx'
import { RecomputeNotice } from '../weights/RecomputeNotice.tsx'
import { readinessColumns } from './readiness-columns.tsx'

// Few people open it.
const WeightsDrawer = lazyComponent(async () => (await import('../weights/WeightsDrawer.tsx')).WeightsDrawer, {
  close: ({ onClose }: { onClose: () => void }) => onClose(),
})

const filters = (
  <>
    <Filter of={ReadinessQuery} name="keyword">
      <Input allowClear maxLength={40} />
    </Filter>
    <Filter of={ReadinessQuery} name="districtId">
      <DeptSelect allowClear />
    </Filter>
    <Filter of={ReadinessQuery} name="low">
      <YesNo />
    </Filter>
  </>
)

/** Schools by readiness, the lowest first. */
export const ReadinessPage = () => {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const devices = usePathOf()('device/index')
  const open = (id: number) => void navigate(`/insight/readiness/${id}`)
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <RecomputeNotice />
      <ListPage
        query={ReadinessQuery}
        source={(query) => queryFor(readiness.page, { query })}
        columns={readinessColumns}
        rowKey={({ schoolId }) => schoolId}
        filters={filters}
        left={<Button onClick={() => setIsOpen(true)}>{t('weights.open')}</Button>}
        onOpen={({ schoolId }) => open(schoolId)}
        actions={({ schoolId }) => (
          <RowActions items={[{ key: 'detail', label: t('list.detail'), run: () => open(schoolId) }]} />
        )}
        empty={{
          text: t('readiness.none'),
          next: devices && <Button onClick={() => void navigate(devices)}>{t('readiness.toDevices')}</Button>,
        }}
      />
      {isOpen && <WeightsDrawer onClose={() => setIsOpen(false)} />}
    </>
  )
}
