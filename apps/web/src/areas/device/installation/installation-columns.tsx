import { SchoolDeviceRow } from '@tocsin/contract/device/school-device'
import { Flex, Tag } from 'antd'
import { useTranslation } from 'react-i18next'
import { YesNoText } from '#ui/cell/YesNoText.tsx'
import { ReadinessBadge } from '#ui/readiness/ReadinessBadge.tsx'
import { column } from '#ui/column.tsx'
import { EnumTag } from '#ui/EnumTag.tsx'

/** An overdue test is marked beside its date. */
const Due = ({ row }: { row: SchoolDeviceRow }) => {
  const { t } = useTranslation()
  return (
    <Flex gap={4} wrap>
      {row.nextTestDue ?? '–'}
      {row.testOverdue && <Tag color="orange">{t('device.overdue')}</Tag>}
    </Flex>
  )
}

const Recipient = ({ row }: { row: SchoolDeviceRow }) => {
  const { t } = useTranslation()
  if (row.lacks.length === 0) return <>{t('list.yes')}</>
  return (
    <Flex gap={4} wrap>
      {row.lacks.map((lack) => (
        <EnumTag key={lack} kind="deviceLack" value={lack} />
      ))}
    </Flex>
  )
}

export const installationColumns = [
  column(SchoolDeviceRow, 'placePath', { main: true }),
  column(SchoolDeviceRow, 'schoolName'),
  column(SchoolDeviceRow, 'kind', { word: 'deviceKind' }),
  column(SchoolDeviceRow, 'sn', { show: (sn) => <span className="device-sn">{sn}</span> }),
  column(SchoolDeviceRow, 'installedAt', { wideOnly: true }),
  column(SchoolDeviceRow, 'connectivity', { tag: 'connectivity' }),
  column(SchoolDeviceRow, 'readiness', {
    wideOnly: true,
    show: (score, { deviceId }) => <ReadinessBadge score={score} deviceId={deviceId} />,
  }),
  column(SchoolDeviceRow, 'lastTestAt', { wideOnly: true }),
  column(SchoolDeviceRow, 'nextTestDue', { show: (_, row) => <Due row={row} /> }),
  column(SchoolDeviceRow, 'lacks', {
    title: (lang) => (lang === 'en' ? 'Recipients' : '接收人'),
    show: (_, row) => <Recipient row={row} />,
  }),
  column(SchoolDeviceRow, 'silent', { wideOnly: true, show: (is) => <YesNoText yes={is} /> }),
  column(SchoolDeviceRow, 'acceptedAt', { wideOnly: true }),
  column(SchoolDeviceRow, 'status', { tag: 'installation' }),
]
