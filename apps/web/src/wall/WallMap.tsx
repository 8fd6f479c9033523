import { GOOD_READINESS, LOW_READINESS } from '@tocsin/contract/insight/readiness'
import { type WallSchool, type WallUnit, wallLinks } from '@tocsin/contract/insight/wall'
import { useMemo, useSyncExternalStore, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { enumLabel } from '#texts/enum-labels.ts'
import { useLang } from '#texts/i18n.ts'
import type { MapPoint, MapRing, PointKind, MapBaseLayers } from '#ui/map/map-shapes.ts'
import { MapView } from '#ui/map/MapView.tsx'
import { formatTime } from '#ui/time.ts'
import type { MapBase } from '@tocsin/contract/insight/map'
import { chooseBaseLayers } from '#ui/map/base-layers.ts'
import { readBase } from './read-board.ts'

/** A wall hangs for months: the base map may be configured, or come back, while it does. */
const AGAIN_MS = 10 * 60_000

/** The base map by the token of the link; undefined without one. */
const useWallBase = (token: string): MapBaseLayers | undefined => {
  const { t } = useTranslation()
  const [base, setBase] = useState<MapBase>()
  useEffect(() => {
    let isGone = false
    const read = async () => {
      const found = await readBase(token)
      // What is shown stays through a failure: building the map anew would make the wall flicker.
      if (!isGone && found) setBase((known) => (JSON.stringify(known) === JSON.stringify(found) ? known : found))
    }
    void read()
    const timer = setInterval(() => void read(), AGAIN_MS)
    return () => {
      isGone = true
      clearInterval(timer)
    }
  }, [token])
  return useMemo(() => {
    const choice = { kind: 'vec', annotations: true, path: wallLinks.tile.path } as const
    const layers = chooseBaseLayers(base, choice, t('map.attribution'))
    return layers && { ...layers, linkToken: token }
  }, [base, token, t])
}

/** The width at which points and labels of a map have their size; a wall of 1920 is read from farther than a desk. */
const BASE_WIDTH_PX = 1280

const listen = (onChange: () => void) => {
  window.addEventListener('resize', onChange)
  return () => window.removeEventListener('resize', onChange)
}
/** In halves: each new value builds the map anew. */
const readScale = (): number => Math.max(1, Math.round((window.innerWidth / BASE_WIDTH_PX) * 2) / 2)

/** How much larger than on a desk what is drawn in pixels has to be. */
const useScreenScale = (): number => useSyncExternalStore(listen, readScale)

const noRings: readonly MapRing[] = []

/** A position that is older says from when it is. */
const RECENT_MS = 10 * 60_000

const kindByReadiness = (readiness: number | null): PointKind => {
  if (readiness === null) return 'school'
  if (readiness >= GOOD_READINESS) return 'ready'
  return readiness >= LOW_READINESS ? 'partlyReady' : 'unready'
}

const toSchoolPoint = ({ id, name, lng, lat, readiness, alarm }: WallSchool): MapPoint => {
  const point = { key: `school-${id}`, lng, lat, label: readiness === null ? name : `${name} ${readiness}` }
  if (!alarm) return { ...point, kind: kindByReadiness(readiness) }
  return { ...point, kind: alarm.isClaimed ? 'claimed' : 'alarm', level: alarm.level, isNew: !alarm.isClaimed }
}

/** Units are told apart by their kind and what they do: a wall shows no names. */
const useUnitPoints = (units: readonly WallUnit[], now: number): MapPoint[] => {
  const { t } = useTranslation()
  const lang = useLang()
  return units.map(({ id, type, state, lng, lat, positionAt }) => {
    const words = [enumLabel('unitType', type, lang), enumLabel('unitState', state, lang)]
    if (!positionAt) words.push(t('map.positionUnknownAge'))
    else if (now - positionAt.getTime() > RECENT_MS) words.push(formatTime(positionAt))
    return { key: `unit-${id}`, kind: 'unit', lng, lat, label: words.join(' · ') }
  })
}

type Props = {
  schools: readonly WallSchool[]
  units: readonly WallUnit[]
  now: number
  token: string
  chosenSchool: number | null | undefined
}

/** The schools by readiness or by their worst open alarm, and the units on duty. */
export const WallMap = ({ schools, units, now, token, chosenSchool }: Props) => {
  const { t } = useTranslation()
  const base = useWallBase(token)
  const scale = useScreenScale()
  const unitPoints = useUnitPoints(units, now)
  const points = [...schools.map(toSchoolPoint), ...unitPoints]
  const { lng, lat } = schools.find(({ id }) => id === chosenSchool) ?? {}
  // By value: a new object with each answer would move the map again and again.
  const selected = useMemo(
    () =>
      lng === undefined || lat === undefined
        ? undefined
        : { key: 'chosen', kind: 'school' as const, lng, lat, label: '' },
    [lng, lat],
  )
  return (
    <MapView
      label={t('wall.map')}
      points={points}
      rings={noRings}
      selected={selected}
      onSelect={() => {}}
      base={base}
      scale={scale}
    />
  )
}
