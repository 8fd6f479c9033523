import { SchoolDeviceDetail, type SchoolDeviceRow, schoolDevices } from '@tocsin/contract/device/school-device'
import { useQuery } from '@tanstack/react-query'
import { Flex } from 'antd'
import { useTranslation } from 'react-i18next'
import { readInPlace } from '#api/query.ts'
import { Answer } from '#ui/statement/Answer.tsx'
import { YesNoText } from '#ui/cell/YesNoText.tsx'
import { type Column, column } from '#ui/column.tsx'
import { Facts } from '#ui/Facts.tsx'
import { ReadDrawer } from '#ui/above/ReadDrawer.tsx'
import { HEARD_MS } from './heard.ts'
import { installationColumns } from './installation-columns.tsx'

const mounting: readonly Column<SchoolDeviceDetail>[] = [
  column(SchoolDeviceDetail, 'mountNote'),
  column(SchoolDeviceDetail, 'silent', { show: (is) => <YesNoText yes={is} /> }),
  column(SchoolDeviceDetail, 'lng'),
  column(SchoolDeviceDetail, 'lat'),
  column(SchoolDeviceDetail, 'planX'),
  column(SchoolDeviceDetail, 'planY'),
  column(SchoolDeviceDetail, 'cameras', {
    show: (cameras) => cameras.map(({ sn, modelName }) => `${sn} (${modelName})`).join(', ') || '—',
  }),
  column(SchoolDeviceDetail, 'photos', {
    show: (photos) =>
      photos.length === 0 ? (
        '—'
      ) : (
        <Flex vertical>
          {photos.map(({ id, name, url }) => (
            <a key={id} href={url} target="_blank" rel="noreferrer">
              {name}
            </a>
          ))}
        </Flex>
      ),
  }),
  column(SchoolDeviceDetail, 'installedByName'),
  column(SchoolDeviceDetail, 'installedAt'),
  column(SchoolDeviceDetail, 'acceptedByName'),
  column(SchoolDeviceDetail, 'acceptedAt'),
  column(SchoolDeviceDetail, 'suspendedUntil'),
  column(SchoolDeviceDetail, 'validFrom'),
  column(SchoolDeviceDetail, 'validTo'),
]

const Detail = ({ id }: { id: number }) => {
  const { t } = useTranslation()
  const query = useQuery({ ...readInPlace(schoolDevices.get, { query: { id } }), refetchInterval: HEARD_MS })
  return (
    <Answer query={query}>
      {(installed) => (
        <Flex vertical gap="middle">
          <Facts row={installed} columns={installationColumns} />
          <Facts title={t('device.mounting')} row={installed} columns={mounting} />
        </Flex>
      )}
    </Answer>
  )
}

type Props = { installed: Pick<SchoolDeviceRow, 'id' | 'sn'>; onClose: () => void }

export const InstallationDrawer = ({ installed, onClose }: Props) => (
  <ReadDrawer onClose={onClose} size="min(720px, 100vw)" title={installed.sn}>
    <Detail id={installed.id} />
  </ReadDrawer>
)
