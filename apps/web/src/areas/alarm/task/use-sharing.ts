import { MAX_TRACK_POINTS, type TrackDraftPoint, TRACK_EVERY_MS, tracks } from '@tocsin/contract/alarm/track'
import { create } from 'zustand'
import { call } from '#api/call.ts'
import { isTransient } from '#api/error.ts'
import { useSession } from '#api/session.ts'

/** Why the browser gives no position. */
type Trouble = 'insecure' | 'denied' | 'unavailable'

type Sharing = {
  /** The task for which the position is shown; undefined: for none. */
  taskId: number | undefined
  sentAt: Date | undefined
  unsent: number
  trouble: Trouble | undefined
}
const off: Sharing = { taskId: undefined, sentAt: undefined, unsent: 0, trouble: undefined }
export const useSharing = create<Sharing>()(() => off)

type Measured = Omit<TrackDraftPoint, 'ageMs'> & { measuredAt: number }
const MAX_ACCURACY_M = 100_000
const MAX_AGE_MS = 600_000
const DENIED = 1

let watch: number | undefined
let timer: ReturnType<typeof setInterval> | undefined
let latest: Measured | undefined
let waiting: Measured[] = []
let isSending = false

/** A browser without a secure context has no position to give. */
const canShare = (): boolean => window.isSecureContext && 'geolocation' in navigator

export const stopSharing = (): void => {
  if (watch !== undefined) navigator.geolocation.clearWatch(watch)
  clearInterval(timer)
  watch = undefined
  latest = undefined
  waiting = []
  useSharing.setState(off)
}

/** Takes the newest position and sends what is not sent yet; without a connection the points of ten minutes are kept. */
const send = async (): Promise<void> => {
  const { taskId } = useSharing.getState()
  if (taskId === undefined) return
  if (latest) waiting = [...waiting, latest].slice(-MAX_TRACK_POINTS)
  latest = undefined
  const now = Date.now()
  waiting = waiting.filter(({ measuredAt }) => now - measuredAt < MAX_AGE_MS)
  if (isSending || waiting.length === 0) return
  isSending = true
  const batch = waiting
  try {
    const points = batch.map(({ measuredAt, ...point }) => ({ ...point, ageMs: Math.max(0, now - measuredAt) }))
    await call(tracks.report, { body: { id: taskId, points } })
    waiting = waiting.filter((point) => !batch.includes(point))
    if (useSharing.getState().taskId === taskId) useSharing.setState({ sentAt: new Date(), unsent: waiting.length })
  } catch (error) {
    // The task has ended, or is nobody's any more: nothing is left to show.
    if (isTransient(error)) useSharing.setState({ unsent: waiting.length })
    else if (useSharing.getState().taskId === taskId) stopSharing()
  } finally {
    isSending = false
  }
}

const take = ({ coords: { longitude, latitude, accuracy } }: GeolocationPosition): void => {
  const isFirst = useSharing.getState().sentAt === undefined && latest === undefined
  const accuracyM = Math.min(MAX_ACCURACY_M, Math.round(accuracy))
  latest = { lng: longitude, lat: latitude, accuracyM, measuredAt: Date.now() }
  useSharing.setState({ trouble: undefined })
  if (isFirst) void send()
}

/** Shows the position of this phone to the desk until the task ends or the user stops. */
export const startSharing = (taskId: number): void => {
  stopSharing()
  if (!canShare()) return void useSharing.setState({ ...off, trouble: 'insecure' })
  useSharing.setState({ ...off, taskId })
  watch = navigator.geolocation.watchPosition(
    take,
    ({ code }) => {
      if (code === DENIED) stopSharing()
      useSharing.setState({ trouble: code === DENIED ? 'denied' : 'unavailable' })
    },
    { enableHighAccuracy: true, maximumAge: TRACK_EVERY_MS },
  )
  timer = setInterval(() => void send(), TRACK_EVERY_MS)
}

// Another user of the same phone never shares for the one before.
useSession.subscribe(({ user }, before) => {
  if (user?.id !== before.user?.id) stopSharing()
})
