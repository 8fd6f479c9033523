import { spawnSync } from 'node:child_process'
import { StartupError } from '../../config.ts'

/** The system user that owns the database files when root starts the server. */
export type Account = { name: string; uid: number; gid: number }

const accountName = 'tocsin'

const find = (): Account | undefined => {
  const id = (flag: string) => spawnSync('id', [flag, accountName], { encoding: 'utf8' })
  const uid = id('-u')
  const gid = id('-g')
  if (uid.status !== 0 || gid.status !== 0) return undefined
  return { name: accountName, uid: Number(uid.stdout), gid: Number(gid.stdout) }
}

const create = (): string => {
  const options = ['--system', '--user-group', '--no-create-home', '--home-dir', '/nonexistent']
  const made = spawnSync('useradd', [...options, '--shell', '/usr/sbin/nologin', accountName], { encoding: 'utf8' })
  return made.error?.message ?? made.stderr.trim()
}

/**
 * The user PostgreSQL runs as. Undefined means the current user: only root can change it, and PostgreSQL refuses to run
 * as root.
 */
export const databaseSystemUser = (): Account | undefined => {
  if (process.getuid?.() !== 0) return undefined
  const present = find()
  if (present) return present
  const complaint = create()
  // A concurrent start may have created the user in the same moment, so only its existence now matters.
  const made = find()
  if (made) return made
  throw new StartupError(
    `PostgreSQL does not run as root and the system user "${accountName}" could not be created (${complaint}). ` +
      `Create it by hand, or start as another user.`,
  )
}

/** The spawn options that run a child as this user. */
export const toSpawnUser = (account: Account | undefined): { uid?: number; gid?: number } =>
  account ? { uid: account.uid, gid: account.gid } : {}

/** Tests access as that user, so that every parent folder, group and ACL counts. */
export const canAccess = (account: Account | undefined, path: string, access: 'r' | 'w' | 'x'): boolean =>
  spawnSync('/bin/sh', ['-c', `test -${access} "$1"`, 'sh', path], { cwd: '/', ...toSpawnUser(account) }).status === 0
