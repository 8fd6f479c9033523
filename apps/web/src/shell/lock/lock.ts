import { locks } from '@tocsin/contract/access/sign-in/lock'
import { call } from '#api/call.ts'
import { checkUnlocked } from '#api/live.ts'
import { showLocked } from '#api/lock.ts'

/** Locks the session on the server and so in every tab. Throws ApiError. */
export const lockSession = async (password: string): Promise<void> => {
  await call(locks.lock, { body: password === '' ? {} : { password } })
  showLocked()
}

/** Throws ApiError; `lockPassword` when the password matches neither the lock nor the account. */
export const unlockSession = async (password: string): Promise<void> => {
  await call(locks.unlock, { body: { password } })
  await checkUnlocked()
}
