import { codes } from '@tocsin/contract/codes'
import type { TabLock } from './tab-lock.ts'
import { ApiError, isTransient } from './error.ts'

export type Tokens = { accessToken: string; refreshToken: string }

type Deps = {
  /** Read each time: another tab may have written it. */
  stored: () => { accessToken: string | null; refreshToken: string | null }
  keep: (tokens: Tokens) => void
  /** POST system/auth/refresh-token. */
  post: (refreshToken: string) => Promise<Tokens>
  exclusively: TabLock
  /** The session cannot be renewed: the user must sign in again. */
  lost: () => void
}

/** A tab in another process sees stored values with a delay, although it holds the lock already. */
const LAG_MS = 500
const LOOK_MS = 20

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

const noToken = () => new ApiError({ code: codes.invalidRefresh.code, msg: codes.invalidRefresh.zh })

/**
 * One refresh at a time over all tabs; calls with 401 meanwhile wait for the same one (SPEC 4).
 * @returns a function from the rejected access token to a newer one.
 */
export const createTokenRefresher = ({ stored, keep, post, exclusively, lost }: Deps) => {
  const newer = (refused: string | null) => {
    const { accessToken } = stored()
    return accessToken && accessToken !== refused ? accessToken : undefined
  }
  const renew = async (refused: string | null, waited: boolean): Promise<string> => {
    let known = newer(refused)
    for (let ms = 0; waited && known === undefined && ms < LAG_MS; ms += LOOK_MS) {
      await pause(LOOK_MS)
      known = newer(refused)
    }
    if (known !== undefined) return known
    const { refreshToken } = stored()
    if (!refreshToken) throw noToken()
    const tokens = await post(refreshToken)
    keep(tokens)
    // A call with 401 in this moment must find the lock taken, and so wait for the value just stored.
    await pause(LOOK_MS)
    return tokens.accessToken
  }

  let running: Promise<string> | undefined
  return (refused: string | null): Promise<string> => {
    running ??= exclusively((waited) => renew(refused, waited))
      .catch((error) => {
        // An unreachable server has not ended the session.
        if (!isTransient(error)) lost()
        throw error
      })
      .finally(() => {
        running = undefined
      })
    return running
  }
}
