import type { Govern } from '@tocsin/contract/insight/govern'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate } from 'react-router'
import { useMapBase } from '#ui/map/base-layers.ts'
import { HeatMap } from '#ui/map/HeatMap.tsx'
import { ScrollTable } from '#ui/responsive/ScrollTable.tsx'
import { useRecordsOf } from './records-of.ts'

type Place = Govern['places'][number]

const toPoints = (places: readonly Place[]) =>
  places.flatMap(({ schoolId, lng, lat, n }) => (lng === null || lat === null ? [] : [{ id: schoolId, lng, lat, n }]))

/** Alarms by place: the same schools glow on a map and stand in a table; each leads to its records. */
export const PlaceMap = ({ figures: { places }, from }: { figures: Govern; from: Date }) => {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const recordsOf = useRecordsOf(from)
  const { layers, isPending } = useMapBase()
  const points = useMemo(() => toPoints(places), [places])
  const [first] = places
  const missing = places.length - points.length
  const open = (schoolId: number) => {
    const to = recordsOf(schoolId)
    if (to) void navigate(to)
  }
  return (
    <section className="chart-panel govern-places">
      <h3 className="chart-title">
        {first ? t('govern.placesFinding', { school: first.schoolName, n: first.n }) : t('govern.places')}
      </h3>
      <div className="chart-subtitle">
        {missing > 0 ? t('govern.placesMissing', { n: missing }) : t('govern.places')}
      </div>
      <div className="govern-places-parts">
        {points.length > 0 && !isPending && (
          <HeatMap label={t('govern.places')} points={points} base={layers} onOpen={open} />
        )}
        <ScrollTable
          size="small"
          pagination={{ pageSize: 8, showSizeChanger: false, hideOnSinglePage: true }}
          rowKey="schoolId"
          dataSource={places}
          columns={[
            {
              title: t('govern.school'),
              render: (_, { schoolId, schoolName }) => {
                const to = recordsOf(schoolId)
                return to ? <Link to={to}>{schoolName}</Link> : schoolName
              },
            },
            { title: t('govern.count'), dataIndex: 'n', align: 'end' },
          ]}
        />
      </div>
    </section>
  )
}
