import type { WarnRecordRow } from '@tocsin/contract/alarm/record'
import { type RecordSurroundings, type Track, TRACK_EVERY_MS, tracks as trackCalls } from '@tocsin/contract/alarm/track'
import { useQuery } from '@tanstack/react-query'
import { Alert, Flex, Typography } from 'antd'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { inlineQuery } from '#api/query.ts'
import { useHasPermission } from '#api/session.ts'
import { useMapBase } from '#ui/map/base-layers.ts'
import { MapView } from '#ui/map/MapView.tsx'
import { displayableData, QueryResult } from '#ui/result/QueryResult.tsx'
import { formatPlace } from '../desk/format-place.ts'
import { buildRecordLines, buildRecordPoints, buildRecordRings, cutTracks, positionOf } from './record-shapes.ts'
import { findPlaybackPeriod } from './track-playback.ts'
import { People, TracksError } from './TrackPeople.tsx'
import { TrackPlayer } from './TrackPlayer.tsx'
import './record-map.css'

const noTracks: readonly Track[] = []

type AroundProps = { record: WarnRecordRow; around: RecordSurroundings; tracks: readonly Track[] }

const Around = ({ record, around, tracks }: AroundProps) => {
  const { t } = useTranslation()
  const [at, setAt] = useState<number>()
  const [selectedKey, setSelectedKey] = useState<string>()
  const { layers, isPending } = useMapBase()
  const span = useMemo(() => findPlaybackPeriod(tracks), [tracks])
  const { id, level, open } = record
  const label = formatPlace(record) || (record.schoolName ?? record.no)
  const { points, lines } = useMemo(() => {
    const cut = cutTracks(tracks, at)
    return { points: buildRecordPoints(around, cut, { id, level, open, label }), lines: buildRecordLines(cut) }
  }, [around, tracks, at, id, level, open, label])
  const rings = useMemo(() => buildRecordRings(around), [around])

  if (points.length === 0 && rings.length === 0) return <Alert type="info" showIcon title={t('track.noPosition')} />
  return (
    <Flex vertical gap="small">
      <div className="record-map" data-people={points.filter(({ kind }) => kind === 'person').length}>
        {isPending ? (
          <div className="map-view" />
        ) : (
          <MapView
            label={t('track.label')}
            points={points}
            rings={rings}
            lines={lines}
            selected={points.find(({ key }) => key === selectedKey)}
            onSelect={setSelectedKey}
            base={layers}
          />
        )}
      </div>
      {!around.position && positionOf(around) && (
        <Typography.Text type="secondary">{t('track.atSchool')}</Typography.Text>
      )}
      {at === undefined && <People units={around.units} tracks={tracks} />}
      {span && <TrackPlayer span={span} at={at} onMove={setAt} isLive={open} />}
    </Flex>
  )
}

/** The alarm on the map: its school and station, and those who were sent, live or played back. */
export const RecordMap = ({ record }: { record: WarnRecordRow }) => {
  const mayTrack = useHasPermission('warn:record:track')
  const input = { query: { recordId: record.id } }
  const refetchInterval = record.open ? TRACK_EVERY_MS : false
  const around = useQuery({ ...inlineQuery(trackCalls.surroundings, input), refetchInterval })
  const tracks = useQuery({ ...inlineQuery(trackCalls.list, input), refetchInterval, enabled: mayTrack })
  return (
    <>
      {tracks.error && <TracksError at={tracks.dataUpdatedAt} />}
      <QueryResult query={around}>
        {(data) => <Around record={record} around={data} tracks={displayableData(tracks) ?? noTracks} />}
      </QueryResult>
    </>
  )
}
