import { createHash } from 'node:crypto'
import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync, realpathSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { StartupError } from '../../config.ts'
import { type Account, canAccess } from './account.ts'

const hash = (text: string) => createHash('sha256').update(text).digest('hex')

/** Where a start by root keeps data that cannot be stored in the checkout. */
export const systemFolder = '/var/lib/tocsin'

const nearestExisting = (path: string): string => (existsSync(path) ? path : nearestExisting(dirname(path)))

const own = (dataDir: string, account: Account) => {
  const entries = readdirSync(dataDir)
  const ours = entries.includes('pg') || entries.includes('master.key')
  if (statSync(dataDir).uid !== account.uid) {
    if (entries.length > 0 && !ours) {
      throw new StartupError(`The data directory ${dataDir} holds files of something else. Choose an empty one.`)
    }
    chownSync(dataDir, account.uid, account.gid)
  }
  chmodSync(dataDir, 0o700)
}

/** Everybody may list this folder, whatever umask root has. */
export const makeSystemFolder = (folder = systemFolder) => {
  mkdirSync(folder, { recursive: true })
  chmodSync(folder, 0o755)
}

type DataDirOptions = {
  dataDir: string
  given: boolean
  checkout: string
  account: Account | undefined
  fallback?: string
}

/**
 * Creates the data directory and returns its real path. A default inside a checkout that the database user cannot enter
 * (a home folder of mode 0700) moves to /var/lib/tocsin; a configured one is rejected instead.
 */
export const resolveDataDir = (wish: DataDirOptions): string => {
  const { dataDir, given, checkout, account, fallback = systemFolder } = wish
  const parent = nearestExisting(dirname(dataDir))
  const reached = !account || canAccess(account, parent, 'x')
  if (!reached && given) {
    throw new StartupError(`The user "${account.name}" cannot enter ${parent}; choose another TOCSIN_DATA.`)
  }
  const place = reached ? dataDir : join(fallback, hash(checkout).slice(0, 12))
  try {
    if (!reached) makeSystemFolder(fallback)
    mkdirSync(dirname(place), { recursive: true, mode: 0o755 })
    mkdirSync(place, { recursive: true, mode: 0o700 })
  } catch (error) {
    throw new StartupError(`The data directory ${place} cannot be made: ${String(error)}`)
  }
  if (account) own(place, account)
  if (!canAccess(account, place, 'w')) {
    throw new StartupError(
      `The data directory ${place} is closed to ${account ? `the user "${account.name}"` : 'this user'}. ` +
        'Start as the user it belongs to, or set TOCSIN_DATA.',
    )
  }
  return realpathSync(place)
}

/**
 * Allows one server per data directory. An abstract socket cannot be left behind: the kernel frees the name when the
 * process ends for any reason.
 */
export const lockDataDir = (dataDir: string): Promise<{ release: () => Promise<void> }> =>
  new Promise((hold, refuse) => {
    const server = createServer((socket) => socket.destroy())
    server.on('error', (error: NodeJS.ErrnoException) =>
      refuse(
        error.code === 'EADDRINUSE'
          ? new StartupError(`Another Tocsin server is already running on the data directory ${dataDir}.`)
          : error,
      ),
    )
    server.listen({ path: `\0tocsin-${hash(realpathSync(dataDir))}` }, () => {
      server.unref()
      hold({ release: () => new Promise((done) => server.close(() => done())) })
    })
  })
