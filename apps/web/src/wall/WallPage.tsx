import type { WallAlarm, WallBoard, WallUnit } from '@tocsin/contract/insight/wall'
import { useTranslation } from 'react-i18next'
import { enumLabel } from '#texts/enum-labels.ts'
import { useLang } from '#texts/i18n.ts'
import { formatDateTime, formatTime } from '#ui/time.ts'
import { useWallBoard } from './use-wall-board.ts'
import { WallFigures } from './WallFigures.tsx'
import { WallMap } from './WallMap.tsx'
import { useEffect } from 'react'

/** Keeps the screen on. The browser releases the lock of a hidden page, so a visible one asks again. */
const useWakeLock = (): void => {
  useEffect(() => {
    let isGone = false
    let lock: WakeLockSentinel | undefined
    const acquire = async () => {
      if (document.visibilityState !== 'visible' || !('wakeLock' in navigator)) return
      const acquired = await navigator.wakeLock.request('screen').catch(() => undefined)
      if (isGone) await acquired?.release()
      else lock = acquired
    }
    const onVisible = () => void acquire()
    onVisible()
    document.addEventListener('visibilitychange', onVisible)
    return () => {
      isGone = true
      document.removeEventListener('visibilitychange', onVisible)
      void lock?.release()
    }
  }, [])
}

const MINUTE_SEC = 60
const HOUR_SEC = 3600
const SHOWN_ALARMS = 7
const noUnits: readonly WallUnit[] = []

const twoDigits = (count: number): string => String(count).padStart(2, '0')

/** `m:ss`, from an hour on `h:mm:ss`. */
const formatAge = (ms: number): string => {
  const seconds = Math.max(0, Math.floor(ms / 1000))
  const [hours, minutes] = [Math.floor(seconds / HOUR_SEC), Math.floor((seconds % HOUR_SEC) / MINUTE_SEC)]
  const rest = twoDigits(seconds % MINUTE_SEC)
  return hours > 0 ? `${hours}:${twoDigits(minutes)}:${rest}` : `${minutes}:${rest}`
}

type AlarmItemProps = { alarm: WallAlarm; now: number; isChosen: boolean }

const AlarmItem = ({ alarm, now, isChosen }: AlarmItemProps) => {
  const { t } = useTranslation()
  const lang = useLang()
  const { level, state, mode, schoolName, placePath, firstAt } = alarm
  const isUrgent = state === 'NEW' && level <= 2 && mode === 'LIVE'
  return (
    <li className="wall-alarm" data-urgent={isUrgent} data-level={level} aria-current={isChosen || undefined}>
      <b className="wall-level">{enumLabel('level', level, lang)}</b>
      <span className="wall-place">
        <b>{placePath || t('wall.unknownPlace')}</b>
        <span>
          {[schoolName, enumLabel('warnClass', alarm.class, lang), mode !== 'LIVE' && enumLabel('mode', mode, lang)]
            .filter(Boolean)
            .join(' · ')}
        </span>
      </span>
      <span className="wall-age">
        <b>{formatAge(now - firstAt.getTime())}</b>
        <span>{enumLabel('recordState', state, lang)}</span>
      </span>
    </li>
  )
}

/** The alarm that the followed desk shows stands on top, so that it is seen wherever its place in the queue is. */
const Queue = ({ board: { alarms, follow }, now }: { board: WallBoard; now: number }) => {
  const { t } = useTranslation()
  const chosen = follow?.alarm
  if (!alarms) return <section className="wall-queue wall-hidden">{t('wall.hidden')}</section>
  const others = alarms.list.filter(({ id }) => id !== chosen?.id)
  const shown = chosen ? [chosen, ...others].slice(0, SHOWN_ALARMS) : others.slice(0, SHOWN_ALARMS)
  return (
    <section className="wall-queue">
      <h2>{t('wall.queue', { n: alarms.total })}</h2>
      {alarms.total === 0 && <p className="wall-quiet">{t('wall.quiet')}</p>}
      <ul>
        {shown.map((alarm) => (
          <AlarmItem key={alarm.id} alarm={alarm} now={now} isChosen={alarm.id === chosen?.id} />
        ))}
      </ul>
      {alarms.total > shown.length && <p>{t('wall.more', { n: alarms.total - shown.length })}</p>}
    </section>
  )
}

type BoardProps = { token: string; board: WallBoard; now: number; staleSince: number | undefined }

const Board = ({ token, board, now, staleSince }: BoardProps) => {
  const { t } = useTranslation()
  const isStale = staleSince !== undefined
  return (
    <main className="wall-page" data-stale={isStale}>
      <header className="wall-head">
        <h1>
          {board.name} · {board.deptName}
        </h1>
        {board.follow && <span className="wall-follow">{t('wall.following')}</span>}
        <span className="wall-expiry">{t('wall.expires', { time: formatDateTime(board.expiresAt) })}</span>
        <time>{formatTime(now)}</time>
        <span className="wall-live">
          {isStale ? t('wall.notLive', { time: formatTime(staleSince) }) : t('wall.live')}
        </span>
      </header>
      <section className="wall-map">
        {board.schools ? (
          <WallMap
            schools={board.schools}
            units={board.units ?? noUnits}
            now={now}
            token={token}
            chosenSchool={board.follow?.schoolId}
          />
        ) : (
          <p className="wall-hidden">{t('wall.hidden')}</p>
        )}
      </section>
      <Queue board={board} now={now} />
      <WallFigures board={board} />
      {isStale && (
        <div className="wall-stale" role="alert">
          {t('wall.notLive', { time: formatTime(staleSince) })}
        </div>
      )}
    </main>
  )
}

/** What one link shows; a link that does not work any more says why, and shows nothing else. */
export const WallPage = ({ token }: { token: string }) => {
  const { t } = useTranslation()
  const { board, refusal, now, staleSince } = useWallBoard(token)
  useWakeLock()
  if (refusal !== undefined) return <main className="wall-message">{refusal}</main>
  if (!board) return <main className="wall-message">{t('wall.waiting')}</main>
  return <Board token={token} board={board} now={now} staleSince={staleSince} />
}
