import { type MaintenanceDetail, MaintenanceRow } from '@tocsin/contract/device/maintenance'
import { useTranslation } from 'react-i18next'
import { type Column, column } from '#ui/column.tsx'
import { formatDateTime } from '#ui/time.ts'
import { ToneTag } from '#ui/tone/ToneTag.tsx'

const Assignee = ({ name }: { name: string | null }) => {
  const { t } = useTranslation()
  return <>{name ?? t('maintenance.unassigned')}</>
}

/** The due date; a late order has a text beside it. */
const Due = ({ order: { dueAt, overdue } }: { order: MaintenanceRow }) => {
  const { t } = useTranslation()
  return overdue ? (
    <span className="stamp">
      {formatDateTime(dueAt).slice(0, 16)} <ToneTag tone="wait">{t('maintenance.overdueOnes')}</ToneTag>
    </span>
  ) : (
    <span className="stamp">{formatDateTime(dueAt).slice(0, 16)}</span>
  )
}

const place = ({ schoolName, placePath }: MaintenanceRow) => [schoolName, placePath].filter(Boolean).join(' · ') || '–'

export const maintenanceColumns: readonly Column<MaintenanceRow>[] = [
  column(MaintenanceRow, 'no', { main: true, width: 160 }),
  column(MaintenanceRow, 'priority', { width: 80, tag: 'maintenancePriority' }),
  column(MaintenanceRow, 'cause', { width: 112, word: 'maintenanceCause' }),
  column(MaintenanceRow, 'sn', { width: 160, show: (sn) => <span className="device-sn">{sn}</span> }),
  column(MaintenanceRow, 'districtName', { width: 120, show: (name) => name ?? '–' }),
  column(MaintenanceRow, 'schoolName', {
    title: (lang) => (lang === 'en' ? 'School and place' : '学校与位置'),
    show: (_name, order) => place(order),
  }),
  column(MaintenanceRow, 'assigneeName', { width: 120, show: (name) => <Assignee name={name} /> }),
  column(MaintenanceRow, 'dueAt', { width: 220, show: (_due, order) => <Due order={order} /> }),
  column(MaintenanceRow, 'state', { width: 112, tag: 'maintenanceState' }),
]

export const factColumns: readonly Column<MaintenanceDetail>[] = [
  column(MaintenanceRow, 'cause', { word: 'maintenanceCause' }),
  column(MaintenanceRow, 'description', { show: (text) => text ?? '–' }),
  column(MaintenanceRow, 'schoolName', { show: (name) => name ?? '–' }),
  column(MaintenanceRow, 'placePath', { show: (path) => path ?? '–' }),
  column(MaintenanceRow, 'modelName'),
  column(MaintenanceRow, 'assigneeName', { show: (name) => <Assignee name={name} /> }),
  column(MaintenanceRow, 'dueAt'),
  column(MaintenanceRow, 'createTime'),
]

export const workColumns: readonly Column<MaintenanceDetail>[] = [
  column(MaintenanceRow, 'result', { show: (text) => text ?? '–' }),
  column(MaintenanceRow, 'parts', { show: (text) => text ?? '–' }),
  column(MaintenanceRow, 'finishedByName', { show: (name) => name ?? '–' }),
  column(MaintenanceRow, 'finishedAt'),
  column(MaintenanceRow, 'repairHours', { show: (hours) => hours ?? '–' }),
  column(MaintenanceRow, 'verifiedByName', { show: (name) => name ?? '–' }),
  column(MaintenanceRow, 'verifiedAt'),
]
