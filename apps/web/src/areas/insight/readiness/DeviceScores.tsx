import type { SchoolReadinessDetail } from '@tocsin/contract/insight/readiness'
import { lostPointsText, readinessText } from '@tocsin/contract/insight/readiness-labels'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useHasPermission } from '#api/session.ts'
import { useLang } from '#texts/i18n.ts'
import { ReadinessBadge } from '#ui/readiness/ReadinessBadge.tsx'
import { ScrollTable } from '#ui/responsive/ScrollTable.tsx'

type DeviceScore = SchoolReadinessDetail['deviceList'][number]

/** The devices of a school, the lowest score first. */
export const DeviceScores = ({ devices }: { devices: readonly DeviceScore[] }) => {
  const { t } = useTranslation()
  const lang = useLang()
  const maySeeDevice = useHasPermission('device:device:query')
  const maySeeOrder = useHasPermission('device:maintenance:query')
  return (
    <ScrollTable<DeviceScore>
      size="small"
      rowKey="deviceId"
      dataSource={[...devices]}
      pagination={devices.length > 20 ? { pageSize: 20, showSizeChanger: false } : false}
      columns={[
        {
          title: t('readiness.score'),
          dataIndex: 'score',
          render: (score: number, { deviceId }) => <ReadinessBadge score={score} deviceId={deviceId} />,
        },
        {
          title: t('readiness.device'),
          dataIndex: 'sn',
          render: (sn: string, { deviceId }) =>
            maySeeDevice ? <Link to={`/device/detail/${deviceId}`}>{sn}</Link> : sn,
        },
        { title: t('readiness.place'), dataIndex: 'placePath' },
        {
          title: t('readiness.reasons'),
          dataIndex: 'reasons',
          render: (reasons: DeviceScore['reasons']) =>
            reasons.map(({ code, points, value }) => (
              <div key={code}>{`${lostPointsText(points)} ${readinessText(code, value, lang)}`}</div>
            )),
        },
        {
          title: t('readiness.order'),
          dataIndex: 'orderId',
          render: (id: number | null) =>
            id !== null && maySeeOrder ? <Link to={`/device/maintenance/${id}`}>{t('readiness.toOrder')}</Link> : '–',
        },
      ]}
    />
  )
}
