import { GOOD_READINESS, LOW_READINESS } from '@tocsin/contract/insight/readiness'
import type { WallSchool, WallUnit } from '@tocsin/contract/insight/wall'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { enumLabel } from '#texts/enum-labels.ts'
import { useLang } from '#texts/i18n.ts'
import type { MapPoint, MapRing, PointKind } from '#ui/map/map-shapes.ts'
import { MapView } from '#ui/map/MapView.tsx'
import { formatTime } from '#ui/time.ts'
import { useScreenScale } from './use-screen-scale.ts'
import { useWallBase } from './use-wall-base.ts'

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
