import { useTranslation } from 'react-i18next'
import { useLocation, useNavigate } from 'react-router'
import { usePathOf } from '#shell/path-of.ts'
import { useLang } from '#texts/i18n.ts'
import { enumLabel } from '#texts/enum-labels.ts'
import { useServerTime } from '#ui/RelativeTime.tsx'
import { formatElapsed } from '../clock.ts'
import { formatPlace } from '../format-place.ts'
import { useQueue } from '../queue/use-queue.ts'
import { useAttention } from './use-attention.ts'
import type { SoundState } from './decide-sound.ts'
import { RingBand } from './RingBand.tsx'
import { useAlarmSound, useAlarmSoundStore } from './use-alarm-sound.ts'
import { useRingHost } from './use-ring-host.ts'

type DeskPath = { deskPath: string | undefined }

/** On every screen but the desk: the number of waiting alarms, the most urgent one, and a link. */
const RingBanner = ({ due, waiting: n, deskPath }: Pick<SoundState, 'due' | 'waiting'> & DeskPath) => {
  const { t } = useTranslation()
  const lang = useLang()
  const navigate = useNavigate()
  const now = useServerTime()
  const waiting = useQueue().data?.list.filter(({ id }) => due.includes(id)) ?? []
  // A call that may be real is shown before all other waiting ones.
  const first = waiting.find(({ mode }) => mode === 'LIVE') ?? waiting[0]
  if (!first) return null
  const open = deskPath && { label: t('desk.toDesk'), onClick: () => void navigate(`${deskPath}?id=${first.id}`) }
  return (
    <RingBand title={t('desk.waiting', { n })} mode={first.mode} open={open || undefined}>
      {first.mode !== 'LIVE' && <b>{enumLabel('mode', first.mode, lang)}</b>} {enumLabel('level', first.level, lang)} ·{' '}
      {enumLabel('alarmCode', first.code, lang)} · {first.schoolName} {formatPlace(first)} ·{' '}
      <b className="ring-age">{formatElapsed(now - first.receivedAt.getTime())}</b>
    </RingBand>
  )
}

const Ring = ({ deskPath }: DeskPath) => {
  const { t } = useTranslation()
  const { due, waiting } = useAlarmSound()
  const deskShown = useAlarmSoundStore((ring) => ring.deskShown)
  const incidents = useAlarmSoundStore((ring) => ring.incidents.waiting)
  const n = waiting + incidents
  useAttention(n, t('desk.titleWaiting', { n }))
  const { pathname } = useLocation()
  const taskPath = usePathOf()('task/index')
  // The task page lists the unclaimed alarms itself; a banner would cover its buttons on a phone.
  const isListed = deskShown || pathname === taskPath

  return isListed || due.length === 0 ? null : <RingBanner due={due} waiting={waiting} deskPath={deskPath} />
}

/** Above all pages, for users who may claim: the sound continues when another screen is opened. */
export const AlarmSoundHost = ({ deskPath }: DeskPath) => {
  const host = useRingHost()
  return host === 'alarm' ? <Ring deskPath={deskPath} /> : null
}
