import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import { create } from 'zustand'
import { live } from '#api/live.ts'
import { useSession } from '#api/session.ts'
import { serverNow } from '#api/server-clock.ts'
import { useServerTime } from '#ui/RelativeTime.tsx'
import { cachedRecord, useQueue } from '../queue/use-queue.ts'
import {
  decideSound,
  type ReceivedEvent,
  isDue,
  loudest,
  muteAll,
  type SoundState,
  unansweredEvents,
  toneFor,
  type Tone,
} from './decide-sound.ts'
import { playOnce, isAudible, loopTone, useSound, checkSoundHealth } from './player.ts'

type Ring = {
  heard: readonly ReceivedEvent[]
  mutes: ReadonlyMap<number, number>
  deskShown: boolean
  /** The sound of a task without a receipt, while its page is open. */
  taskTone: Tone | null
  /** Unclaimed police incidents: their sound and number. */
  incidents: { tone: Tone | null; waiting: number }
}

export const useAlarmSoundStore = create<Ring>()(() => ({
  heard: [],
  mutes: new Map(),
  deskShown: false,
  taskTone: null,
  incidents: { tone: null, waiting: 0 },
}))

/** The current sound state, for components that show it. */
export const useAlarmSoundState = (): SoundState => {
  const { data } = useQueue()
  const { heard, mutes } = useAlarmSoundStore()

  const now = useServerTime()
  return useMemo(() => {
    const read = data && { ids: new Set(data.list.map(({ id }) => id)), now: data.now.getTime() }
    const unread = unansweredEvents(heard, read, now).map(({ id }) => id)
    return decideSound({ records: data?.list ?? [], unread, mutes, now, moreDue: data?.moreDue ?? 0 })
  }, [data, heard, mutes, now])
}

export const muteAlarmSound = (records: Parameters<typeof muteAll>[0]): void =>
  useAlarmSoundStore.setState({ mutes: muteAll(records, serverNow()) })

export const unmuteAlarmSound = (id?: number): void =>
  useAlarmSoundStore.setState(({ mutes }) => ({
    mutes: id === undefined ? new Map() : new Map([...mutes].filter(([muted]) => muted !== id)),
  }))

const HEARD_MOST = 100

const hear = (id: number, at: number) =>
  useAlarmSoundStore.setState(({ heard }) => ({
    heard: [...heard.filter((item) => item.id !== id), { id, at, heardAt: serverNow() }].slice(-HEARD_MOST),
  }))

/** Sounds from the event itself; the refetch that it causes then tells the details. */
const useEvents = () =>
  useEffect(() => {
    const offRaised = live.listen('alarm.raised', ({ data, at }) => {
      if (data.ref !== null) hear(data.ref, at)
    })
    const offAgain = live.listen('alarm.again', ({ data, at }) => {
      if (data.ref === null) return
      unmuteAlarmSound(data.ref)
      const record = cachedRecord(data.ref)
      if (!record) hear(data.ref, at)
      else if (!record.commissioning && !isDue(record, serverNow())) playOnce(toneFor(record))
    })
    return () => {
      offRaised()
      offAgain()
    }
  }, [])

/** The heartbeat report: claims to renew, records that were really sounded. */
const useReports = ({ sounding }: SoundState) => {
  const { data } = useQueue()
  const me = useSession((session) => session.user?.id)
  const sounded = useRef(new Set<number>())
  // Only heartbeats wake a hidden and silent page, and it must notice the end of a mute.
  const [, wake] = useState(0)
  const mine = useEffectEvent(() => {
    const claimed = data?.list.filter(({ state, ownerId }) => state === 'CLAIMED' && ownerId === me) ?? []
    return claimed.map(({ id }) => id)
  })
  useEffect(
    () =>
      live.provide({
        renew: () => mine(),
        sounded: () => {
          wake((n) => n + 1)
          return [...sounded.current]
        },
      }),
    [],
  )
  useEffect(() => {
    const open = new Set(data?.list.map(({ id }) => id))
    sounded.current = new Set([...sounded.current].filter((id) => open.has(id)))
  }, [data])
  return () => {
    if (!isAudible() || [...sounding].every((id) => sounded.current.has(id))) return
    for (const id of sounding) sounded.current.add(id)
    live.report()
  }
}

/** What rings beside alarms: tasks and incidents. */
export const useOtherTone = (): Tone | null => {
  const { taskTone, incidents } = useAlarmSoundStore()
  return useMemo(() => loudest([taskTone, incidents.tone]), [taskTone, incidents.tone])
}

/** The alarm sound: one for the whole console, whatever page is open. */
export const useAlarmSound = (): SoundState => {
  const state = useAlarmSoundState()
  const health = useSound((sound) => sound.health)
  const now = useServerTime()
  const otherTone = useOtherTone()
  useEvents()

  const noteSounded = useReports(state)
  const tick = useEffectEvent(() => {
    checkSoundHealth()
    noteSounded()
  })
  // Evaluated again when the sound was started: before, nothing could ring.
  useEffect(() => loopTone(loudest([state.tone, otherTone])), [state.tone, otherTone, health])
  useEffect(() => tick(), [now])
  useEffect(() => () => loopTone(null), [])
  return state
}
