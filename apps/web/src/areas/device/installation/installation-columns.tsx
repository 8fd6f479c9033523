import { SchoolDeviceRow } from '@tocsin/contract/device/school-device'
import { Flex, Tag } from 'antd'
import { useTranslation } from 'react-i18next'
import { YesNoText } from '#ui/cell/YesNoText.tsx'
import { column } from '#ui/column.tsx'
import { EnumTag } from '#ui/EnumTag.tsx'

/** A test that is overdue stands beside its day. */
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
  column(SchoolDeviceRow, 'connectivity', { tag: 'connectivity' }),
  column(SchoolDeviceRow, 'readiness', { figure: true, wideOnly: true }),
  column(SchoolDeviceRow, 'lastTestAt', { wideOnly: true }),
  column(SchoolDeviceRow, 'nextTestDue', { show: (_, row) => <Due row={row} /> }),
  column(SchoolDeviceRow, 'lacks', { show: (_, row) => <Recipient row={row} /> }),
  column(SchoolDeviceRow, 'silent', { wideOnly: true, show: (is) => <YesNoText yes={is} /> }),
  column(SchoolDeviceRow, 'status', { tag: 'installation' }),
]
