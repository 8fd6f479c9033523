import { SchoolDeviceDetail, type SchoolDeviceRow, schoolDevices } from '@tocsin/contract/device/school-device'
import { useQuery } from '@tanstack/react-query'
import { Flex } from 'antd'
import { useTranslation } from 'react-i18next'
import { inlineQuery } from '#api/query.ts'
import { QueryResult } from '#ui/result/QueryResult.tsx'
import { YesNoText } from '#ui/cell/YesNoText.tsx'
import { type Column, column } from '#ui/column.tsx'
import { DescriptionList } from '#ui/DescriptionList.tsx'
import { ReadDrawer } from '#ui/overlay/ReadDrawer.tsx'
import { DEVICE_POLL_MS } from './device-polling.ts'
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
  const query = useQuery({ ...inlineQuery(schoolDevices.get, { query: { id } }), refetchInterval: DEVICE_POLL_MS })
  return (
    <QueryResult query={query}>
      {(installed) => (
        <Flex vertical gap="middle">
          <DescriptionList row={installed} columns={installationColumns} />
          <DescriptionList title={t('device.mounting')} row={installed} columns={mounting} />
        </Flex>
      )}
    </QueryResult>
  )
}

type Props = { installed: Pick<SchoolDeviceRow, 'id' | 'sn'>; onClose: () => void }

export const InstallationDrawer = ({ installed, onClose }: Props) => (
  <ReadDrawer onClose={onClose} size="min(720px, 100vw)" title={installed.sn}>
    <Detail id={installed.id} />
  </ReadDrawer>
)
