import type { Task } from '@tocsin/contract/alarm/assignment'
import { useEffect, useRef } from 'react'
import { vibrate } from '#ui/responsive/vibrate.ts'
import { toneFor } from '../desk/sound/decide-sound.ts'
import { loopTone, useSound } from '../desk/sound/player.ts'
import { useAlarmSoundStore } from '../desk/sound/use-alarm-sound.ts'
import { useRingHost } from '../desk/sound/use-ring-host.ts'

const VIBRATION_MS = [400, 200, 400, 200, 400]

/** Vibrates once for each of them. */
export const useVibration = (waiting: readonly { id: number }[]): void => {
  const shaken = useRef(new Set<number>())
  useEffect(() => {
    const fresh = waiting.filter(({ id }) => !shaken.current.has(id))
    for (const { id } of fresh) shaken.current.add(id)
    if (fresh.length > 0) vibrate(VIBRATION_MS)
  }, [waiting])
}

/** Rings and vibrates while a task waits for its receipt. Uses the loop of the console's sound, if there is one. */
export const useTaskRing = (waiting: readonly Pick<Task, 'id' | 'level' | 'mode'>[]): void => {
  const health = useSound((sound) => sound.health)
  const hasHost = useRingHost() !== 'page'
  const worst = waiting.toSorted((a, b) => a.level - b.level)[0]
  const level = worst?.level
  const isSoft = worst?.mode !== 'LIVE'
  useEffect(() => {
    const tone = level === undefined ? null : toneFor({ level, mode: isSoft ? 'DRILL' : 'LIVE', late: false })
    if (hasHost) useAlarmSoundStore.setState({ taskTone: tone })
    else loopTone(tone)
    return () => {
      useAlarmSoundStore.setState({ taskTone: null })
      if (!hasHost) loopTone(null)
    }
  }, [level, isSoft, hasHost, health])
  useVibration(waiting)
}
