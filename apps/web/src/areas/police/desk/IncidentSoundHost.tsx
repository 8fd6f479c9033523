import type { SituationRow } from '@tocsin/contract/police/situation'
import { situations } from '@tocsin/contract/police/situations'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation, useNavigate } from 'react-router'
import { live } from '#api/live.ts'
import { inlineQuery } from '#api/query.ts'
import { formatElapsed } from '#areas/alarm/desk/clock.ts'
import { checkSoundHealth, loopTone, playOnce, useSound } from '#areas/alarm/desk/sound/player.ts'
import { RingBand } from '#areas/alarm/desk/sound/RingBand.tsx'
import { useAlarmSoundStore, useOtherTone } from '#areas/alarm/desk/sound/use-alarm-sound.ts'
import { useAttention } from '#areas/alarm/desk/sound/use-attention.ts'
import { useRingHost } from '#areas/alarm/desk/sound/use-ring-host.ts'
import { useVibration } from '#areas/alarm/task/use-task-ring.ts'
import { usePathOf } from '#shell/path-of.ts'
import { enumLabel } from '#texts/enum-labels.ts'
import { useLang } from '#texts/i18n.ts'
import { useServerTime } from '#ui/RelativeTime.tsx'
import { listWaiting, toneOfIncident, toneOfIncidents } from './waiting-incidents.ts'

const none: readonly SituationRow[] = []

/** Plays the loop for users without the sound of alarms, which otherwise plays it. */
const IncidentLoop = ({ waiting }: { waiting: number }) => {
  const { t } = useTranslation()
  const tone = useOtherTone()
  const health = useSound((sound) => sound.health)
  const now = useServerTime()
  useAttention(waiting, t('desk.titleWaiting', { n: waiting }))
  // Evaluated again when the sound was started: before, nothing could ring.
  useEffect(() => loopTone(tone), [tone, health])
  useEffect(() => checkSoundHealth(), [now])
  useEffect(() => () => loopTone(null), [])
  return null
}

const IncidentBand = ({ first, n, deskPath }: { first: SituationRow; n: number; deskPath: string | undefined }) => {
  const { t } = useTranslation()
  const lang = useLang()
  const navigate = useNavigate()
  const now = useServerTime()
  const { id, mode, grade, schoolName, place, no, receivedAt } = first
  const open = deskPath && { label: t('police.toDesk'), onClick: () => void navigate(`${deskPath}?id=${id}`) }
  return (
    <RingBand title={t('police.waiting', { n })} mode={mode} open={open || undefined}>
      {mode !== 'LIVE' && <b>{enumLabel('mode', mode, lang)}</b>} {enumLabel('level', grade, lang)} ·{' '}
      {[schoolName, place].filter(Boolean).join(' ') || no} ·{' '}
      <b className="ring-age">{formatElapsed(now - Number(receivedAt))}</b>
    </RingBand>
  )
}

/** One that somebody works on rings once when it is received again; an unclaimed one rings anyway. */
const useAgain = (list: readonly SituationRow[]) => {
  const again = useEffectEvent((id: number | null) => {
    const row = list.find((item) => item.id === id)
    if (row && listWaiting([row]).length === 0) playOnce(toneOfIncident(row))
  })
  useEffect(() => live.listen('situation.again', ({ data }) => again(data.ref)), [])
}

/** Above all pages, for users who may claim incidents: unclaimed ones ring as unclaimed alarms do. */
export const IncidentSoundHost = () => {
  const { data } = useQuery(inlineQuery(situations.desk))
  const { pathname } = useLocation()
  const deskPath = usePathOf()('policeSituation/desk')
  const host = useRingHost()
  const list = data?.list ?? none
  const waiting = useMemo(() => listWaiting(list), [list])
  const tone = useMemo(() => toneOfIncidents(waiting), [waiting])
  const n = waiting.length
  useEffect(() => useAlarmSoundStore.setState({ incidents: { tone, waiting: n } }), [tone, n])
  useEffect(() => () => useAlarmSoundStore.setState({ incidents: { tone: null, waiting: 0 } }), [])
  useVibration(waiting)
  useAgain(list)
  const [first] = waiting
  return (
    <>
      {host === 'incident' && <IncidentLoop waiting={n} />}
      {first && pathname !== deskPath && <IncidentBand first={first} n={n} deskPath={deskPath} />}
    </>
  )
}
