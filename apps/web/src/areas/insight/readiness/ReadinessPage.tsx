import { readiness, ReadinessQuery, SchoolReadinessRow } from '@tocsin/contract/insight/readiness'
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
import { lostPointsText, readinessText } from '@tocsin/contract/insight/readiness-labels'
import { useLang } from '#texts/i18n.ts'
import { type Column, column } from '#ui/column.tsx'
import { ReadinessBadge } from '#ui/readiness/ReadinessBadge.tsx'

const SHOWN = 3

const MainReasons = ({ school: { reasons } }: { school: SchoolReadinessRow }) => {
  const lang = useLang()
  if (reasons.length === 0) return <>–</>
  return (
    <>
      {reasons
        .slice(0, SHOWN)
        .map(({ code, points, value }) => `${lostPointsText(points)} ${readinessText(code, value, lang)}`)
        .join(lang === 'en' ? '; ' : '；')}
    </>
  )
}

const signed = (n: number) => (n > 0 ? `+${n}` : String(n).replace('-', '−'))

const readinessColumns: readonly Column<SchoolReadinessRow>[] = [
  column(SchoolReadinessRow, 'schoolName', { main: true, width: 220 }),
  column(SchoolReadinessRow, 'score', {
    width: 104,
    show: (score, { schoolId }) => <ReadinessBadge score={score} schoolId={schoolId} />,
  }),
  column(SchoolReadinessRow, 'change', {
    width: 120,
    figure: true,
    show: (change) => (change === null ? '–' : signed(change)),
  }),
  column(SchoolReadinessRow, 'districtName', { width: 160, wideOnly: true }),
  column(SchoolReadinessRow, 'devices', { width: 88, figure: true }),
  column(SchoolReadinessRow, 'low', { width: 120, figure: true }),
  column(SchoolReadinessRow, 'reasons', { show: (_, school) => <MainReasons school={school} /> }),
]

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
