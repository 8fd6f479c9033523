import { baseKinds, type MapBase } from '@tocsin/contract/insight/map'
import { Alert, Checkbox, Flex, Segmented, Typography } from 'antd'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { enumLabel } from '#texts/enum-labels.ts'
import { useLang } from '#texts/i18n.ts'
import { chooseBaseLayers } from '#ui/map/base-layers.ts'
import { CarTrack, CarTrackControls, useCarTrack } from '#ui/map-service/CarTrack.tsx'
import { InfoWindow, MapLabel, MapMarker, MapPolyline, MarkerClusterer } from '#ui/map-service/overlays.tsx'
import type { Place, PlaceSearch } from '#ui/map-service/places.ts'
import { RoutePanel } from '#ui/map-service/RoutePanel.tsx'
import type { RoutePlan, RouteSearch } from '#ui/map-service/routes.ts'
import { SearchPanel } from '#ui/map-service/SearchPanel.tsx'
import type { LngLat, TileChoice } from '#ui/map-service/types.ts'

export const CENTER: LngLat = [116.404, 39.915]
const CLUSTERED = 200
const COLUMNS = 20
const STEP = 0.004

const formatPosition = ([lng, lat]: LngLat): string => `${lng.toFixed(5)}, ${lat.toFixed(5)}`

const clustered = Array.from({ length: CLUSTERED }, (_, index) => ({
  position: [
    CENTER[0] + ((index % COLUMNS) - COLUMNS / 2) * STEP,
    CENTER[1] + (Math.floor(index / COLUMNS) + 1) * STEP,
  ] as const,
}))

/** A marker that is dragged, its label, and points that are drawn as one. */
export const MarkerPart = () => {
  const { t } = useTranslation()
  const [position, setPosition] = useState(CENTER)
  const [hasCluster, setHasCluster] = useState(false)
  const [event, setEvent] = useState('')
  return (
    <Flex vertical gap="small">
      <Typography.Text type="secondary">{t('mapDemo.markersHelp')}</Typography.Text>
      <MapMarker
        position={position}
        draggable
        title={t('mapDemo.markerLabel')}
        onDragend={setPosition}
        onClick={(at) => setEvent(t('mapDemo.position', { at: formatPosition(at) }))}
      />
      <MapLabel position={position} text={t('mapDemo.markerLabel')} offset={[14, -14]} />
      <Typography.Text>{t('mapDemo.position', { at: formatPosition(position) })}</Typography.Text>
      <Checkbox checked={hasCluster} onChange={({ target }) => setHasCluster(target.checked)}>
        {t('mapDemo.showCluster')}
      </Checkbox>
      {hasCluster && (
        <MarkerClusterer
          markers={clustered}
          maxZoom={14}
          onClick={(index) => setEvent(t('mapDemo.clicked', { n: index + 1 }))}
          onClusterclick={() => setEvent(t('mapDemo.clusterClicked'))}
        />
      )}
      <Typography.Text role="status">{event}</Typography.Text>
    </Flex>
  )
}

type TileProps = {
  base: MapBase | undefined
  isLocal: boolean
  choice: TileChoice
  onChoice: (choice: TileChoice) => void
}

/** Vector, imagery and terrain, with or without annotations. */
export const TilePart = ({ base, isLocal, choice, onChoice }: TileProps) => {
  const { t } = useTranslation()
  const lang = useLang()
  const { kind, annotations } = choice
  const isMissing = isLocal && !chooseBaseLayers(base, { kind, annotations: false }, '')
  return (
    <Flex vertical gap="small" align="start">
      <Segmented
        value={kind}
        onChange={(next) => onChoice({ ...choice, kind: next })}
        aria-label={t('mapDemo.tiles')}
        options={baseKinds.map((value) => ({ value, label: enumLabel('baseKind', value, lang) }))}
      />
      <Checkbox checked={annotations} onChange={({ target }) => onChoice({ ...choice, annotations: target.checked })}>
        {t('mapDemo.annotations')}
      </Checkbox>
      {isMissing && <Alert type="info" showIcon title={t('mapDemo.noTiles')} />}
    </Flex>
  )
}

type SearchProps = { places: PlaceSearch | undefined; isLocal: boolean; onShow: (points: readonly LngLat[]) => void }

/** What is found is marked on the map. */
export const SearchPart = ({ places, isLocal, onShow }: SearchProps) => {
  const { t } = useTranslation()
  const [found, setFound] = useState<readonly Place[]>([])
  const [chosen, setChosen] = useState<Place>()
  if (!places) return <Alert type="info" showIcon title={t('mapDemo.noSearch')} />
  const show = (rows: readonly Place[]) => {
    setFound(rows)
    setChosen(undefined)
    onShow(rows.flatMap(({ lonlat }) => (lonlat ? [lonlat] : [])))
  }
  const choose = (place: Place) => {
    setChosen(place)
    if (place.lonlat) onShow([place.lonlat])
  }
  return (
    <Flex vertical gap="small">
      {isLocal && <Typography.Text type="secondary">{t('mapDemo.searchLocal')}</Typography.Text>}
      <SearchPanel places={places} onPoiClick={choose} onSearchComplete={(page) => show(page.places)} />
      {found.map(
        (place, index) =>
          place.lonlat && (
            <MapMarker
              key={`${place.name} ${index}`}
              position={place.lonlat}
              title={place.name}
              onClick={() => setChosen(place)}
            />
          ),
      )}
      {chosen?.lonlat && (
        <InfoWindow
          key={`${chosen.name} ${chosen.lonlat.join()}`}
          position={chosen.lonlat}
          offset={[0, -40]}
          title={chosen.name}
          onClose={() => setChosen(undefined)}
        >
          <span>{chosen.address}</span>
          {chosen.phone !== '' && <a href={`tel:${chosen.phone}`}>{chosen.phone}</a>}
        </InfoWindow>
      )}
    </Flex>
  )
}

type RouteProps = {
  places: PlaceSearch | undefined
  routes: RouteSearch | undefined
  onShow: (points: readonly LngLat[]) => void
}

/** The plan that was chosen is drawn; a straight line is dashed. */
export const RoutePart = ({ places, routes, onShow }: RouteProps) => {
  const { t } = useTranslation()
  const [plan, setPlan] = useState<RoutePlan>()
  if (!places || !routes) return <Alert type="info" showIcon title={t('mapDemo.noSearch')} />
  const [start, end] = [plan?.path[0], plan?.path.at(-1)]
  return (
    <>
      <RoutePanel
        places={places}
        routes={routes}
        onDrawing={(next) => {
          setPlan(next)
          onShow(next?.path ?? [])
        }}
      />
      {plan && (
        <MapPolyline
          path={plan.path}
          color="#1f6feb"
          weight={5}
          opacity={0.9}
          lineStyle={plan.durationS === undefined ? 'dashed' : 'solid'}
        />
      )}
      {start && <MapMarker position={start} title={t('mapService.start')} />}
      {end && <MapMarker position={end} title={t('mapService.end')} />}
    </>
  )
}

const speeds = [0, 20, 100] as const
type Speed = (typeof speeds)[number]
const TRACK_INTERVAL_MS = 500

/** A car on a path of ten nodes. */
export const TrackPart = () => {
  const { t } = useTranslation()
  const [speed, setSpeed] = useState<Speed>(0)
  const [passed, setPassed] = useState(0)
  const path = useMemo(
    () =>
      Array.from(
        { length: 10 },
        (_, index): LngLat => [CENTER[0] + (index - 5) * STEP, CENTER[1] + Math.sin(index) * STEP],
      ),
    [],
  )
  const track = useCarTrack({
    Datas: path,
    interval: TRACK_INTERVAL_MS,
    speed,
    passOneNode: (_, index) => setPassed(index),
  })
  return (
    <Flex vertical gap="small">
      <CarTrack track={track} dynamicLine={speed > 0} />
      <CarTrackControls track={track} speed={speed} speeds={speeds} onSpeed={setSpeed} />
      <Typography.Text role="status">
        {t('mapDemo.passed', { n: track.metres === 0 ? 1 : passed + 1, length: path.length })}
      </Typography.Text>
    </Flex>
  )
}
