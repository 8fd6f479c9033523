import { BellOutlined, QuestionCircleOutlined, SoundOutlined, WarningFilled } from '@ant-design/icons'
import { Button, Slider, Tooltip } from 'antd'
import { useTranslation } from 'react-i18next'
import { useHasPermission } from '#api/session.ts'
import { confirm } from '#ui/confirm.ts'
import { useServerTime } from '#ui/RelativeTime.tsx'
import { useQueue } from './queue/use-queue.ts'
import { canMute } from './sound/decide-sound.ts'
import { MIN_VOLUME, setVolume, startSound, stopSound, testSound, useSound, wasStarted } from './sound/player.ts'
import { checkInAtDesk } from './sound/check-in-at-desk.ts'
import { muteAlarmSound, unmuteAlarmSound, useAlarmSoundState } from './sound/use-alarm-sound.ts'
import { WallFollow } from './wall/WallFollow.tsx'

/** A desk without sound shows a warning over the whole width until the sound works. */
const SoundWarning = () => {
  const { t } = useTranslation()
  const health = useSound((sound) => sound.health)
  const { due } = useAlarmSoundState()
  if (health === 'ok') return null
  const text = health === 'blocked' ? 'desk.soundBlocked' : wasStarted() ? 'desk.soundAfterReload' : 'desk.soundOff'
  return (
    <div className="desk-warning" role="alert" data-urgent={due.length > 0}>
      <WarningFilled />
      <span>{t(text)}</span>
      <Button
        type="primary"
        size="large"
        onClick={() => {
          void startSound()
          void checkInAtDesk()
        }}
      >
        {t(health === 'blocked' ? 'desk.soundRetry' : 'desk.startShift')}
      </Button>
    </div>
  )
}

const Unmute = () => {
  const { t } = useTranslation()
  const { muted, mutedUntil } = useAlarmSoundState()
  const now = useServerTime()
  if (mutedUntil === null) return null
  const left = Math.max(0, Math.ceil((mutedUntil - now) / 1000))
  return (
    <Button size="small" className="desk-unmute" onClick={() => unmuteAlarmSound()}>
      {t('desk.muted', { count: muted, n: left })}
    </Button>
  )
}

const Mute = () => {
  const { t } = useTranslation()
  const { sounding } = useAlarmSoundState()
  const list = useQueue().data?.list ?? []
  if (sounding.length === 0) return null
  const off = !list.some((record) => sounding.includes(record.id) && canMute(record))
  return (
    <Tooltip title={t(off ? 'desk.muteNever' : 'desk.muteHint')}>
      <Button
        size="small"
        aria-disabled={off}
        className={off ? 'desk-verb-off' : ''}
        onClick={() => off || muteAlarmSound(list)}
      >
        {t('desk.mute')}
      </Button>
    </Tooltip>
  )
}

const Waiting = () => {
  const { t } = useTranslation()
  const { waiting, unread } = useAlarmSoundState()
  const text = waiting > 0 ? t('desk.waiting', { n: waiting }) : t('desk.nothingWaits')
  return (
    <span className="desk-ringing" role="status" data-on={waiting + unread > 0}>
      <BellOutlined /> {unread > 0 ? t('desk.unread', { n: unread }) : text}
    </span>
  )
}

/** The state of the sound, its volume, and the switch-off. */
const Sound = () => {
  const { t } = useTranslation()
  const { health, volume } = useSound()
  const ring = useAlarmSoundState()
  const end = async () => {
    if (
      await confirm({
        title: t('desk.endShiftAsk'),
        text: t('desk.endShiftText'),
        yes: t('desk.endShift'),
        danger: true,
      })
    )
      await stopSound()
  }
  if (health === 'off') return null
  return (
    <>
      <span className="desk-sound" data-health={health}>
        <SoundOutlined />{' '}
        <span className="desk-sound-word">{t(health === 'ok' ? 'desk.soundOk' : 'desk.soundSilent')}</span>
      </span>
      <Slider
        className="desk-volume"
        min={MIN_VOLUME}
        max={1}
        step={0.05}
        value={volume}
        onChange={setVolume}
        ariaLabelForHandle={t('desk.volume')}
        tooltip={{ formatter: (value) => `${t('desk.volume')} ${Math.round((value ?? 0) * 100)}%` }}
      />
      <Button size="small" disabled={ring.tone !== null} onClick={testSound}>
        {t('desk.test')}
      </Button>
      <Button size="small" onClick={() => void end()}>
        {t('desk.endShift')}
      </Button>
    </>
  )
}

type SoundBarProps = {
  /** The selected record, for walls that follow this desk. */
  selected: number | undefined
  onHelp: () => void
}

/** The state of the desk's sound, always visible, with its controls. */
export const SoundBar = ({ selected, onHelp }: SoundBarProps) => {
  const { t } = useTranslation()
  // The alarm rings only for users who may claim (sound/AlarmSoundHost); for others a sound state would be misleading.
  const rings = useHasPermission('warn:record:claim')
  return (
    <>
      {rings && <SoundWarning />}
      <div className="desk-bar">
        <Waiting />
        {rings && <Unmute />}
        {rings && <Mute />}
        <span className="desk-fill" />
        <WallFollow selected={selected} />
        {rings ? <Sound /> : <span className="desk-hint">{t('desk.noRing')}</span>}
        <Tooltip title={`${t('desk.keys')} ( ? )`}>
          <Button
            size="small"
            type="text"
            icon={<QuestionCircleOutlined />}
            className="desk-keys-open"
            aria-label={t('desk.keys')}
            onClick={onHelp}
          />
        </Tooltip>
      </div>
    </>
  )
}
