import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { ApiError } from '../error.ts'
import { leaseLock, type TabLock } from '../tab-lock.ts'
import { createTokenRefresher, type Tokens } from '../refresh.ts'

/** Storage that all tabs of a browser share. */
const browser = () => {
  const shelf = new Map<string, string>()
  const storage = {
    getItem: (key: string) => shelf.get(key) ?? null,
    setItem: (key: string, value: string) => void shelf.set(key, value),
    removeItem: (key: string) => void shelf.delete(key),
  }
  const channels: BroadcastChannel[] = []
  const name = `refresh-test-${Math.random()}`
  const lock = (): TabLock => {
    const channel = new BroadcastChannel(name)
    channels.push(channel)
    return leaseLock('lease', storage, channel)
  }
  return { storage, lock, close: () => channels.forEach((channel) => channel.close()) }
}

const fixture = (answer: (refreshToken: string) => Promise<Tokens>) => {
  const { storage, lock, close } = browser()
  storage.setItem('access', 'a1')
  storage.setItem('refresh', 'r1')
  const counted = { posts: 0, lost: 0 }
  const tab = () =>
    createTokenRefresher({
      stored: () => ({ accessToken: storage.getItem('access'), refreshToken: storage.getItem('refresh') }),
      keep: ({ accessToken, refreshToken }) => {
        storage.setItem('access', accessToken)
        storage.setItem('refresh', refreshToken)
      },
      post: (refreshToken) => {
        counted.posts += 1
        return answer(refreshToken)
      },
      exclusively: lock(),
      lost: () => {
        counted.lost += 1
      },
    })
  return { tab, counted, storage, close }
}

const rotating = () => {
  let n = 1
  return async (refreshToken: string) => {
    await pause(5)
    if (refreshToken !== `r${n}`) throw new ApiError({ code: 400, msg: '无效的刷新令牌' })
    n += 1
    return { accessToken: `a${n}`, refreshToken: `r${n}` }
  }
}

describe('renewing the token', () => {
  it('happens once although the token of another tab arrives after its lock', async () => {
    const seen = { access: 'a1', posts: 0 }
    const laggard = createTokenRefresher({
      stored: () => ({ accessToken: seen.access, refreshToken: 'r1' }),
      keep: () => undefined,
      post: async () => {
        seen.posts += 1
        return { accessToken: 'own', refreshToken: 'own' }
      },
      exclusively: (run) => {
        setTimeout(() => {
          seen.access = 'a2'
        }, 60)
        return run(true)
      },
      lost: () => undefined,
    })
    expect(await laggard('a1')).toBe('a2')
    expect(seen.posts).toBe(0)
  })

  it('sends one request for many calls of one tab', async () => {
    const { tab, counted, close } = fixture(rotating())
    const renew = tab()
    expect(await Promise.all([renew('a1'), renew('a1'), renew('a1')])).toEqual(['a2', 'a2', 'a2'])
    expect(counted.posts).toBe(1)
    close()
  })

  it('happens once over all tabs: the waiting one takes the token that the other tab stored', async () => {
    const { tab, counted, close } = fixture(rotating())
    const tabs = [tab(), tab(), tab()]
    expect(await Promise.all(tabs.map((renew) => renew('a1')))).toEqual(['a2', 'a2', 'a2'])
    expect(counted).toEqual({ posts: 1, lost: 0 })
    close()
  })

  it('asks the user once when the server rejects it, also with many calls waiting', async () => {
    const { tab, counted, close } = fixture(async () => {
      throw new ApiError({ code: 401, msg: '刷新令牌已过期' })
    })
    const renew = tab()
    const results = await Promise.allSettled([renew('a1'), renew('a1')])
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect(counted).toEqual({ posts: 1, lost: 1 })
    close()
  })

  it('asks the user to sign in without a request when there is no refresh token', async () => {
    const { tab, counted, storage, close } = fixture(rotating())
    storage.removeItem('refresh')
    await expect(tab()('a1')).rejects.toMatchObject({ msg: '无效的刷新令牌' })
    expect(counted).toEqual({ posts: 0, lost: 1 })
    close()
  })

  it('keeps the session when the server is unreachable', async () => {
    const { tab, counted, close } = fixture(async () => {
      throw new ApiError({ code: 'OFFLINE', msg: '' })
    })
    await expect(tab()('a1')).rejects.toMatchObject({ code: 'OFFLINE' })
    expect(counted.lost).toBe(0)
    close()
  })

  it('takes over the lease of a tab that was closed', async () => {
    const { tab, storage, close } = fixture(rotating())
    storage.setItem('lease', `dead ${Date.now() - 1}`)
    expect(await tab()('a1')).toBe('a2')
    close()
  })

  it('does not wait for a lease from before the clock was set back', async () => {
    const { tab, storage, close } = fixture(rotating())
    storage.setItem('lease', `dead ${Date.now() + 5 * 3_600_000}`)
    expect(await tab()('a1')).toBe('a2')
    close()
  })
})
