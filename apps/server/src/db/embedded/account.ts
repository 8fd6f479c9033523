import { spawnSync } from 'node:child_process'
import { StartupError } from '../../config.ts'

/** The system user that owns the database files when the start was made by root. */
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
 * The account PostgreSQL runs under: undefined means the present user, because only root may change it and
 * PostgreSQL refuses to run as root.
 */
export const databaseSystemUser = (): Account | undefined => {
  if (process.getuid?.() !== 0) return undefined
  const present = find()
  if (present) return present
  const complaint = create()
  // A second start may have created it in the same moment, so what counts is whether it is there now.
  const made = find()
  if (made) return made
  throw new StartupError(
    `PostgreSQL does not run as root and the system user "${accountName}" could not be created (${complaint}). ` +
      `Create it by hand, or start as another user.`,
  )
}

/** The part of spawn options that lets a child run under the account. */
export const toSpawnUser = (account: Account | undefined): { uid?: number; gid?: number } =>
  account ? { uid: account.uid, gid: account.gid } : {}

/** Asks the system itself, as that user, so that every parent folder, group and ACL counts. */
export const canAccess = (account: Account | undefined, path: string, access: 'r' | 'w' | 'x'): boolean =>
  spawnSync('/bin/sh', ['-c', `test -${access} "$1"`, 'sh', path], { cwd: '/', ...toSpawnUser(account) }).status === 0
