import type { WarnRecordRow } from '@tocsin/contract/alarm/record'
import type { RecordSurroundings, Track } from '@tocsin/contract/alarm/track'
import { Alert } from 'antd'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useMapBase } from '#ui/map/base-layers.ts'
import { MapView } from '#ui/map/MapView.tsx'
import { formatPlace } from '../desk/format-place.ts'
import { buildRecordLines, buildRecordPoints, buildRecordRings, cutTracks } from '../map/record-shapes.ts'
import '../map/record-map.css'

type Props = {
  record: WarnRecordRow
  around: RecordSurroundings
  tracks: readonly Track[]
  at: number
  /** Whether the alarm was open at the moment. */
  isOpen: boolean
}

/** The alarm and the people who were sent, at one moment. Units have only their present position and are left out. */
export const ReplayMap = ({ record, around, tracks, at, isOpen }: Props) => {
  const { t } = useTranslation()
  const [selectedKey, setSelectedKey] = useState<string>()
  const { layers, isPending } = useMapBase()
  const { id, level } = record
  const label = formatPlace(record) || (record.schoolName ?? record.no)
  const rings = useMemo(() => buildRecordRings(around), [around])
  const { points, lines } = useMemo(() => {
    const cut = cutTracks(tracks, at)
    const shown = buildRecordPoints({ ...around, units: [] }, cut, { id, level, open: isOpen, label })
    return { points: shown, lines: buildRecordLines(cut) }
  }, [around, tracks, at, id, level, isOpen, label])
  if (points.length === 0 && rings.length === 0) return <Alert type="info" showIcon title={t('track.noPosition')} />
  if (isPending) return <div className="record-map" />
  return (
    <div className="record-map">
      <MapView
        label={t('track.label')}
        points={points}
        rings={rings}
        lines={lines}
        selected={points.find(({ key }) => key === selectedKey)}
        onSelect={setSelectedKey}
        base={layers}
      />
    </div>
  )
}
