import { Button } from 'antd'
import { useEffect, useEffectEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { useLive } from '#api/live.ts'
import { useNow } from '#ui/RelativeTime.tsx'
import { useAttention } from './use-attention.ts'
import { loopTone, startSound, useSound, checkSoundHealth } from './player.ts'

/** A locked page does not know the level: heard at once, not yet as urgent as it may prove to be. */
const TONE = { level: 2, soft: false } as const

const Ring = () => {
  const { t } = useTranslation()
  const due = useLive((status) => status.due) ?? 0
  const health = useSound((sound) => sound.health)
  const now = useNow()
  const rings = due > 0
  useAttention(due, t('desk.titleWaiting', { n: due }))
  // Asked again when the sound was started: until then there was nothing to ring with.
  useEffect(() => loopTone(rings ? TONE : null), [rings, health])
  const watch = useEffectEvent(checkSoundHealth)
  useEffect(() => watch(), [now])
  useEffect(() => () => loopTone(null), [])
  if (!rings || health === 'ok') return null
  return <Button onClick={() => void startSound()}>{t('desk.soundOn')}</Button>
}

/** While the session is locked: rings as long as there is an alarm that nobody has, for whom the server says so. */
export const LockedAlarmSound = () => (useLive((status) => status.rings) ? <Ring /> : null)
