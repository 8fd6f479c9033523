import { Button } from 'antd'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation, useNavigate } from 'react-router'
import { useHasPermission } from '#api/session.ts'
import { usePathOf } from '#shell/path-of.ts'
import { useLang } from '#texts/i18n.ts'
import { enumLabel } from '#texts/enum-labels.ts'
import { formatElapsed, useServerNow } from '../clock.ts'
import { formatPlace } from '../format-place.ts'
import { useQueue } from '../queue/use-queue.ts'
import { usePulse } from '../use-pulse.ts'
import { useAttention } from './use-attention.ts'
import type { SoundState } from './decide-sound.ts'
import { startSound, useSound } from './player.ts'
import { useAlarmSound, useAlarmSoundStore } from './use-alarm-sound.ts'
import './sound.css'

type DeskPath = { deskPath: string | undefined }

/** On every screen but the desk: the number of waiting alarms, the most urgent one, and a link. */
const RingBanner = ({ due, waiting: n, deskPath }: Pick<SoundState, 'due' | 'waiting'> & DeskPath) => {
  const { t } = useTranslation()
  const lang = useLang()
  const navigate = useNavigate()
  const health = useSound((sound) => sound.health)
  const now = useServerNow()
  const box = useRef<HTMLDivElement>(null)
  usePulse(box)
  const waiting = useQueue().data?.list.filter(({ id }) => due.includes(id)) ?? []
  // A call that may be real is shown before all other waiting ones.
  const first = waiting.find(({ mode }) => mode === 'LIVE') ?? waiting[0]
  if (!first) return null
  return (
    <div className="ring-banner" ref={box} role="alert" data-mode={first.mode}>
      <strong>{t('desk.waiting', { n })}</strong>
      <span className="ring-first">
        {first.mode !== 'LIVE' && <b>{enumLabel('mode', first.mode, lang)}</b>} {enumLabel('level', first.level, lang)}{' '}
        · {enumLabel('alarmCode', first.code, lang)} · {first.schoolName} {formatPlace(first)} ·{' '}
        <b className="ring-age">{formatElapsed(now - first.receivedAt.getTime())}</b>
      </span>
      {health !== 'ok' && (
        <Button size="small" onClick={() => void startSound()}>
          {t('desk.soundOn')}
        </Button>
      )}
      {deskPath && (
        <Button size="small" onClick={() => navigate(`${deskPath}?id=${first.id}`)}>
          {t('desk.toDesk')}
        </Button>
      )}
    </div>
  )
}

const Ring = ({ deskPath }: DeskPath) => {
  const { t } = useTranslation()
  const { due, waiting } = useAlarmSound()
  const deskShown = useAlarmSoundStore((ring) => ring.deskShown)

  useAttention(waiting, t('desk.titleWaiting', { n: waiting }))
  const { pathname } = useLocation()
  const taskPath = usePathOf()('task/index')
  // The task page lists the unclaimed alarms itself; a banner would cover its buttons on a phone.
  const isListed = deskShown || pathname === taskPath

  return isListed || due.length === 0 ? null : <RingBanner due={due} waiting={waiting} deskPath={deskPath} />
}

/** Above all pages, for users who may claim: the sound continues when another screen is opened. */
export const AlarmSoundHost = ({ deskPath }: DeskPath) => {
  const mayClaim = useHasPermission('warn:record:claim')
  const mayRead = useHasPermission('warn:record:query')
  return mayClaim && mayRead ? <Ring deskPath={deskPath} /> : null
}
