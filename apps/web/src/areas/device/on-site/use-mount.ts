import { codes } from '@tocsin/contract/codes'
import { devices, type DeviceRow } from '@tocsin/contract/device/device'
import { deviceEdits } from '@tocsin/contract/device/device-verbs'
import { installationCalls } from '@tocsin/contract/device/school-device-verbs'
import { useEffect, useRef, useState } from 'react'
import { call } from '#api/call.ts'
import { ApiError } from '#api/error.ts'
import { invalidate } from '#api/query.ts'
import { useSession } from '#api/session.ts'
import { isRefused, retryDelay } from '#api/unsent/retry.ts'
import { getLocalItem, setLocalItem } from '#api/storage.ts'
import { draftKey, type MountDraft, parseDraft } from './mount-draft.ts'

type Given = MountDraft & { photoIds?: number[] }

/** Repeats after growing delays, and when the connection returns, while something waits. */
const useRetry = (isWaiting: boolean, repeat: () => Promise<void>): void => {
  const latest = useRef(repeat)
  useEffect(() => {
    latest.current = repeat
  })
  useEffect(() => {
    if (!isWaiting) return
    let attempts = 1
    let isOver = false
    let timer: ReturnType<typeof setTimeout> | undefined
    const plan = () => {
      clearTimeout(timer)
      if (!isOver) timer = setTimeout(() => void retry(), retryDelay(attempts))
    }
    const retry = async () => {
      attempts += 1
      await latest.current()
      plan()
    }
    plan()
    window.addEventListener('online', retry)
    return () => {
      isOver = true
      clearTimeout(timer)
      window.removeEventListener('online', retry)
    }
  }, [isWaiting])
}

/**
 * Stores what is entered on the phone and sends it; without a connection it is sent again until the server answers.
 * The server allows one open installation of a device, so a repeated call installs nothing twice.
 */
export const useMount = (device: DeviceRow, onRefused: (error: unknown) => void) => {
  const userId = useSession(({ user }) => user?.id)
  const key = draftKey(userId, device.sn)
  const [first] = useState(() => parseDraft(getLocalItem(key)))
  const [isWaiting, setWaiting] = useState(first.isWaiting ?? false)
  const [isSending, setSending] = useState(false)
  const waiting = useRef<Given | undefined>(first.isWaiting ? first : undefined)
  const keep = (draft: MountDraft | undefined) => setLocalItem(key, draft ? JSON.stringify(draft) : null)
  const finish = async () => {
    waiting.current = undefined
    keep(undefined)
    setWaiting(false)
    await Promise.all([invalidate(deviceEdits.find), invalidate(devices.page)])
  }
  const send = async (given: Given): Promise<void> => {
    const { placeId = 0, mountNote, photoIds = [] } = given
    setSending(true)
    try {
      await call(installationCalls.mount, {
        body: { deviceId: device.id, placeId, mountNote: mountNote || null, photoIds },
      })
      await finish()
    } catch (error) {
      if (!isRefused(error)) {
        waiting.current = given
        const { photoIds: _photos, ...draft } = given
        keep({ ...draft, isWaiting: true })
        setWaiting(true)
        return
      }
      // An earlier attempt arrived, though its answer did not.
      if (waiting.current && error instanceof ApiError && error.code === codes.alreadyInstalled.code)
        return await finish()
      waiting.current = undefined
      setWaiting(false)
      onRefused(error)
    } finally {
      setSending(false)
    }
  }
  useRetry(isWaiting, async () => {
    if (waiting.current) await send(waiting.current)
  })
  return { first, isWaiting, isSending, send, keep }
}
