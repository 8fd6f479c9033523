import type { RecordSurroundings, Track } from '@tocsin/contract/alarm/track'
import { Alert, Flex, Typography } from 'antd'
import { useTranslation } from 'react-i18next'
import { EnumTag } from '#ui/EnumTag.tsx'
import { useServerTime } from '#ui/RelativeTime.tsx'
import { StaleDataAlert } from '#ui/result/QueryResult.tsx'
import { relativeAge } from '#ui/time.ts'

type Seen = { key: string; name: string; state: Track['state']; at: Date | null; accuracyM?: number }

/** Who is on the map, with the age of each position: an old one says so. */
export const People = ({ units, tracks }: { units: RecordSurroundings['units']; tracks: readonly Track[] }) => {
  const { t } = useTranslation()
  const now = useServerTime()
  const people: Seen[] = [
    ...tracks.flatMap(({ assignmentId, userId, name, unitName, state, points }) => {
      const last = points.at(-1)
      const shown = unitName === null ? name : t('track.person', { name, unit: unitName })
      return last ? [{ key: `${assignmentId}-${userId}`, name: shown, state, ...last }] : []
    }),
    ...units.map(({ id, name, state, positionAt }) => ({ key: `unit-${id}`, name, state, at: positionAt })),
  ]
  const describe = ({ at, accuracyM }: Seen): string => {
    if (!at) return t('track.noAge')
    const { unit, n } = relativeAge(at.getTime(), now)
    const age = t(`list.${unit}`, { n })
    return accuracyM === undefined ? t('track.ageOnly', { age }) : t('track.age', { age, m: accuracyM })
  }
  return people.map((person) => (
    <Flex key={person.key} gap="small" align="center" wrap>
      <b>{person.name}</b>
      <EnumTag kind="assignmentState" value={person.state} />
      <Typography.Text type="secondary">{describe(person)}</Typography.Text>
    </Flex>
  ))
}

/** Says that the tracks are old or missing. */
export const TracksError = ({ at }: { at: number }) => {
  const { t } = useTranslation()
  return at > 0 ? <StaleDataAlert at={at} /> : <Alert type="warning" showIcon title={t('track.failed')} />
}
