import { Alert, Button, Flex, Segmented } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { enumLabel } from '#texts/enum-labels.ts'
import { useLang } from '#texts/i18n.ts'
import { TileLayer } from '#ui/map-service/overlays.tsx'
import { ServiceMap } from '#ui/map-service/ServiceMap.tsx'
import type { LngLat, TileChoice } from '#ui/map-service/types.ts'
import { CENTER, MarkerPart, RoutePart, SearchPart, TilePart, TrackPart } from './parts.tsx'
import { ShapePart } from './ShapePart.tsx'
import { type ProviderName, useProviders } from './use-providers.ts'
import './map-demo.css'

const parts = ['markers', 'shapes', 'tiles', 'search', 'routes', 'track'] as const
type Part = (typeof parts)[number]
const providers: readonly ProviderName[] = ['national', 'local']
const ZOOM = 12

type Providers = ReturnType<typeof useProviders>

/** What the library and the local base say about themselves. */
const States = ({ state, retry, base }: Pick<Providers, 'state' | 'retry' | 'base'>) => {
  const { t } = useTranslation()
  const lang = useLang()
  const canRetry = state === 'REFUSED' || state === 'UNREACHABLE'
  return (
    <Flex vertical gap="small">
      <Alert
        type={state === 'READY' ? 'success' : canRetry ? 'warning' : 'info'}
        showIcon
        title={t(`mapService.${state}`)}
        action={
          canRetry && (
            <Button size="small" onClick={retry}>
              {t('shell.retry')}
            </Button>
          )
        }
      />
      {base && base.state !== 'READY' && (
        <Alert
          type="info"
          showIcon
          title={base.state === 'NO_KEY' ? t('mapDemo.noBase') : enumLabel('baseState', base.state, lang)}
        />
      )}
    </Flex>
  )
}

type PartProps = {
  part: Part
  own: Providers
  tiles: TileChoice
  onTiles: (choice: TileChoice) => void
  onShow: (points: readonly LngLat[]) => void
}

const ActivePart = ({ part, own, tiles, onTiles, onShow }: PartProps) => {
  const isLocal = own.provider.name === 'local'
  if (part === 'markers') return <MarkerPart />
  if (part === 'shapes') return <ShapePart />
  if (part === 'tiles') return <TilePart base={own.base} isLocal={isLocal} choice={tiles} onChoice={onTiles} />
  if (part === 'search') return <SearchPart places={own.places} isLocal={isLocal} onShow={onShow} />
  if (part === 'routes') return <RoutePart places={own.places} routes={own.routes} onShow={onShow} />
  return <TrackPart />
}

/** Every component of the map, drawn by the national service or on the local map. */
export const MapDemoPage = () => {
  const { t } = useTranslation()
  const own = useProviders()
  const [part, setPart] = useState<Part>('markers')
  const [viewport, setViewport] = useState<readonly LngLat[]>([])
  const [tiles, setTiles] = useState<TileChoice>({ kind: 'vec', annotations: true })
  const { provider, state } = own
  return (
    <Flex vertical gap="middle">
      <States {...own} />
      <Flex gap="middle" wrap>
        {state === 'READY' && (
          <Segmented
            value={provider.name}
            onChange={own.choose}
            aria-label={t('mapDemo.provider')}
            options={providers.map((value) => ({ value, label: t(`mapDemo.${value}`) }))}
          />
        )}
        <Segmented
          value={part}
          onChange={setPart}
          aria-label={t('mapDemo.part')}
          className="map-demo-parts"
          options={parts.map((value) => ({ value, label: t(`mapDemo.${value}`) }))}
        />
      </Flex>
      {state !== 'LOADING' && (
        <div className="map-demo">
          <ServiceMap
            key={provider.name}
            label={t('mapDemo.label')}
            provider={provider}
            center={CENTER}
            zoom={ZOOM}
            viewport={viewport}
          >
            <TileLayer {...tiles} />
            <ActivePart key={part} {...{ part, own, tiles }} onTiles={setTiles} onShow={setViewport} />
          </ServiceMap>
        </div>
      )}
    </Flex>
  )
}
