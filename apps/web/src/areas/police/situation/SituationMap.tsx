import { type Track, TRACK_EVERY_MS } from '@tocsin/contract/alarm/track'
import type { SituationDetail } from '@tocsin/contract/police/situation'
import { openSituationStates } from '@tocsin/contract/police/situation-machine'
import { situationTracks } from '@tocsin/contract/police/situation-track'
import { useQuery } from '@tanstack/react-query'
import { Alert, Flex } from 'antd'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { inlineQuery } from '#api/query.ts'
import { buildRecordLines, buildTrackPoints, cutTracks } from '#areas/alarm/map/record-shapes.ts'
import { findPlaybackPeriod } from '#areas/alarm/map/track-playback.ts'
import { People, TracksError } from '#areas/alarm/map/TrackPeople.tsx'
import { TrackPlayer } from '#areas/alarm/map/TrackPlayer.tsx'
import { useMapBase } from '#ui/map/base-layers.ts'
import type { MapPoint, MapRing } from '#ui/map/map-shapes.ts'
import { MapView } from '#ui/map/MapView.tsx'
import { QueryResult } from '#ui/result/QueryResult.tsx'
import '#areas/alarm/map/record-map.css'

const buildIncidentPoints = ({ lng, lat, no, grade }: SituationDetail, isOpen: boolean): MapPoint[] =>
  lng === null || lat === null
    ? []
    : [{ key: 'incident', kind: isOpen ? 'alarm' : 'claimed', lng, lat, label: no, level: grade }]

const noRings: readonly MapRing[] = []

type TracksProps = { situation: SituationDetail; tracks: readonly Track[]; isOpen: boolean }

const Tracks = ({ situation, tracks, isOpen }: TracksProps) => {
  const { t } = useTranslation()
  const [at, setAt] = useState<number>()
  const [selectedKey, setSelectedKey] = useState<string>()
  const { layers, isPending } = useMapBase()
  const span = useMemo(() => findPlaybackPeriod(tracks), [tracks])
  const { points, lines } = useMemo(() => {
    const cut = cutTracks(tracks, at)
    const incident = buildIncidentPoints(situation, isOpen)
    return { points: [...incident, ...buildTrackPoints(cut)], lines: buildRecordLines(cut) }
  }, [situation, tracks, at, isOpen])
  if (!span) return <Alert type="info" showIcon title={t('track.nobodyShared')} />
  return (
    <Flex vertical gap="small">
      <div className="record-map" data-people={points.filter(({ kind }) => kind === 'person').length}>
        {isPending ? (
          <div className="map-view" />
        ) : (
          <MapView
            label={t('track.ofIncident')}
            points={points}
            rings={noRings}
            lines={lines}
            selected={points.find(({ key }) => key === selectedKey)}
            onSelect={setSelectedKey}
            base={layers}
          />
        )}
      </div>
      {at === undefined && <People units={[]} tracks={tracks} />}
      <TrackPlayer span={span} at={at} onMove={setAt} isLive={isOpen} />
    </Flex>
  )
}

/** The incident on the map with the people who were sent, live or played back. */
export const SituationMap = ({ situation }: { situation: SituationDetail }) => {
  const isOpen = openSituationStates.some((state) => state === situation.state)
  const query = useQuery({
    ...inlineQuery(situationTracks.list, { query: { situationId: situation.id } }),
    refetchInterval: isOpen ? TRACK_EVERY_MS : false,
  })
  return (
    <>
      {query.error && query.data !== undefined && <TracksError at={query.dataUpdatedAt} />}
      <QueryResult query={query}>
        {(tracks) => <Tracks situation={situation} tracks={tracks} isOpen={isOpen} />}
      </QueryResult>
    </>
  )
}
