import { codes } from '@tocsin/contract/codes'
import type { Exclusively } from './exclusively.ts'
import { ApiError, isPassing } from './error.ts'

export type Tokens = { accessToken: string; refreshToken: string }

type Deps = {
  /** Read afresh each time: another tab may have written. */
  stored: () => { accessToken: string | null; refreshToken: string | null }
  keep: (tokens: Tokens) => void
  /** POST system/auth/refresh-token. */
  post: (refreshToken: string) => Promise<Tokens>
  exclusively: Exclusively
  /** The session cannot be renewed: the person must sign in again. */
  lost: () => void
}

const noToken = () => new ApiError({ code: codes.invalidRefresh.code, msg: codes.invalidRefresh.zh })

/**
 * One refresh at a time over all tabs; whoever meets 401 meanwhile waits for the same one (SPEC 4).
 * @returns a function from the refused access token to a newer one.
 */
export const refresher = ({ stored, keep, post, exclusively, lost }: Deps) => {
  const renew = async (refused: string | null): Promise<string> => {
    const { accessToken, refreshToken } = stored()
    if (accessToken && accessToken !== refused) return accessToken
    if (!refreshToken) throw noToken()
    const tokens = await post(refreshToken)
    keep(tokens)
    return tokens.accessToken
  }

  let running: Promise<string> | undefined
  return (refused: string | null): Promise<string> => {
    running ??= exclusively(() => renew(refused))
      .catch((error) => {
        // A server that is away for a moment has not ended the session.
        if (!isPassing(error)) lost()
        throw error
      })
      .finally(() => {
        running = undefined
      })
    return running
  }
}
