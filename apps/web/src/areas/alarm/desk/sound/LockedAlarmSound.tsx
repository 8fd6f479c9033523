import { Button } from 'antd'
import { useEffect, useEffectEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { useLive } from '#api/live.ts'
import { useNow } from '#ui/RelativeTime.tsx'
import { useAttention } from './use-attention.ts'
import { loopTone, startSound, useSound, checkSoundHealth } from './player.ts'

/** A locked page does not know the level: it rings, with a less urgent tone than may prove necessary. */
const TONE = { level: 2, soft: false } as const

const Ring = () => {
  const { t } = useTranslation()
  const due = useLive((status) => status.due) ?? 0
  const health = useSound((sound) => sound.health)
  const now = useNow()
  const rings = due > 0
  useAttention(due, t('desk.titleWaiting', { n: due }))
  // Evaluated again when the sound was started: before, nothing could ring.
  useEffect(() => loopTone(rings ? TONE : null), [rings, health])
  const watch = useEffectEvent(checkSoundHealth)
  useEffect(() => watch(), [now])
  useEffect(() => () => loopTone(null), [])
  if (!rings || health === 'ok') return null
  return <Button onClick={() => void startSound()}>{t('desk.soundOn')}</Button>
}

/** While the session is locked: rings while there is an unowned alarm, if the server allows it for this user. */
export const LockedAlarmSound = () => (useLive((status) => status.rings) ? <Ring /> : null)
