import {
  type BaseKind,
  baseKinds,
  type MapPart,
  mapParts,
  type MapSchool,
  type MapUnit,
  maps,
} from '@tocsin/contract/insight/map'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Alert, Button, Checkbox, Flex, Input, Segmented, Select } from 'antd'
import { useDeferredValue, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { inlineQuery, queryFor } from '#api/query.ts'
import { serverNow } from '#api/server-clock.ts'
import { usePathOf } from '#shell/path-of.ts'
import { enumLabel } from '#texts/enum-labels.ts'
import { useLang } from '#texts/i18n.ts'
import { relativeAge } from '#ui/time.ts'
import { useDebouncedValue } from '#ui/list/use-debounced-value.ts'
import { useMapBase } from '#ui/map/base-layers.ts'
import { MapView } from '#ui/map/MapView.tsx'
import { QueryResult } from '#ui/result/QueryResult.tsx'
import {
  buildDeviceItem,
  buildDevicePoints,
  buildFound,
  buildItems,
  buildRings,
  filterItems,
  findHref,
  type MapItem,
} from './map-items.ts'
import { MapList } from './MapList.tsx'
import './map-page.css'

const alarmLevels = [1, 2, 3, 4] as const
/** Events make the answer stale; the poll covers what no event reports, like the position of a unit. */
const POLL_MS = 30_000
const DEVICE_POLL_MS = 120_000

const useMapData = (parts: ReadonlySet<MapPart>, keyword: string, levels: readonly number[]) => {
  const { t } = useTranslation()
  const lang = useLang()
  const overview = useQuery({
    ...inlineQuery(maps.overview),
    refetchInterval: POLL_MS,
    placeholderData: keepPreviousData,
  })
  const records = useQuery({
    ...inlineQuery(maps.records),
    refetchInterval: POLL_MS,
    placeholderData: keepPreviousData,
  })
  const devices = useQuery({
    ...queryFor(maps.devices),
    refetchInterval: DEVICE_POLL_MS,
    enabled: parts.has('DEVICES'),
  })
  const shown = useMemo(() => {
    if (!overview.data || !records.data) return { items: [], rings: [] }
    const now = serverNow()
    const describeSchool = ({ devices: n, readiness: score }: MapSchool) =>
      score === null ? t('map.devices', { n }) : t('map.readiness', { n, score })
    const describeUnit = ({ state, stationName, positionAt }: MapUnit) => {
      const age = positionAt && relativeAge(positionAt.getTime(), now)
      const known = age
        ? t('map.positionAge', { age: t(`list.${age.unit}`, { n: age.n }) })
        : t('map.positionUnknownAge')
      return `${enumLabel('unitState', state, lang)} · ${stationName} · ${known}`
    }
    const all = buildItems(overview.data, records.data, { lang, now, describeSchool, describeUnit })
    const items = filterItems(all, { parts, keyword, levels })
    return { items, rings: parts.has('AREAS') ? buildRings(overview.data) : [] }
  }, [overview.data, records.data, parts, keyword, levels, lang, t])
  const points = useMemo(() => {
    const marks = shown.items.flatMap(({ point }) => (point ? [point] : []))
    return parts.has('DEVICES') && devices.data ? [...buildDevicePoints(devices.data), ...marks] : marks
  }, [shown, parts, devices.data])
  return { overview, records, devices, ...shown, points }
}

/** What the server finds beyond the rows on the map; earlier answers stay until the next one is there. */
const useFound = (keyword: string, listed: readonly MapItem[]) => {
  const lang = useLang()
  const wanted = useDebouncedValue(keyword.trim())
  const { data } = useQuery({
    ...inlineQuery(maps.search, { query: { keyword: wanted } }),
    enabled: wanted !== '',
    placeholderData: keepPreviousData,
  })
  return useMemo(() => (wanted === '' || !data ? [] : buildFound(data, listed, lang)), [wanted, data, listed, lang])
}

/** The district live: a map, and the same selection as a list. */
export const MapPage = () => {
  const { t } = useTranslation()
  const lang = useLang()
  const pathOf = usePathOf()
  const [parts, setParts] = useState<ReadonlySet<MapPart>>(new Set(['RECORDS', 'UNITS', 'SCHOOLS', 'AREAS']))
  const [keyword, setKeyword] = useState('')
  const [levels, setLevels] = useState<readonly number[]>([])
  const [selectedKey, setSelectedKey] = useState<string>()
  const [kind, setKind] = useState<BaseKind>('vec')
  const { base, layers, isPending } = useMapBase(kind)
  const {
    overview,
    records,
    devices,
    items: listed,
    rings,
    points,
  } = useMapData(parts, useDeferredValue(keyword), levels)
  const found = useFound(keyword, listed)
  const device = useMemo(
    () => (devices.data ? buildDeviceItem(selectedKey, devices.data, lang) : undefined),
    [selectedKey, devices.data, lang],
  )
  const items = useMemo(() => [...(device ? [device] : []), ...listed, ...found], [device, listed, found])
  const selected = items.find(({ key }) => key === selectedKey)

  const desk = pathOf('warn/desk/index')
  const reset = () => {
    setKeyword('')
    setLevels([])
    setParts(new Set(mapParts))
  }
  return (
    <div className="map-page">
      <Flex className="map-tools" gap="middle" align="center" wrap>
        <Checkbox.Group
          value={[...parts]}
          onChange={(chosen) => setParts(new Set(chosen))}
          options={mapParts.map((value) => ({ value, label: enumLabel('mapPart', value, lang) }))}
        />
        <Select
          mode="multiple"
          allowClear
          value={[...levels]}
          onChange={setLevels}
          placeholder={t('map.levels')}
          aria-label={t('map.levels')}
          style={{ minWidth: 160 }}
          options={alarmLevels.map((level) => ({ value: level, label: enumLabel('level', String(level), lang) }))}
        />
        {base?.source === 'TIANDITU' && (
          <Segmented
            value={kind}
            onChange={setKind}
            options={baseKinds.map((value) => ({ value, label: enumLabel('baseKind', value, lang) }))}
          />
        )}
        {base && base.state !== 'READY' && (
          <Alert type="info" showIcon title={enumLabel('baseState', base.state, lang)} />
        )}
        {parts.has('DEVICES') && devices.isError && (
          <Alert
            type="warning"
            showIcon
            title={t('map.devicesFailed')}
            action={
              <Button size="small" onClick={() => void devices.refetch()}>
                {t('shell.retry')}
              </Button>
            }
          />
        )}
      </Flex>
      <QueryResult query={overview}>
        {() => (
          <QueryResult query={records}>
            {() => (
              <div className="map-columns">
                {isPending ? (
                  <div className="map-view" />
                ) : (
                  <MapView
                    label={t('map.title')}
                    points={points}
                    rings={rings}
                    selected={selected?.point}
                    onSelect={setSelectedKey}
                    base={layers}
                  />
                )}
                <aside className="map-side">
                  <Input.Search
                    allowClear
                    value={keyword}
                    placeholder={t('map.search')}
                    aria-label={t('map.search')}
                    onChange={({ target }) => setKeyword(target.value)}
                  />
                  <MapList
                    items={items}
                    selectedKey={selectedKey}
                    onSelect={setSelectedKey}
                    hrefOf={(item) => findHref(item, desk)}
                    onReset={reset}
                  />
                </aside>
              </div>
            )}
          </QueryResult>
        )}
      </QueryResult>
    </div>
  )
}
