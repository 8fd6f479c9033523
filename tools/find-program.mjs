// Builtins of Node 20 only, like install.mjs.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { exitWithMessage } from './install.mjs'

const programs = JSON.parse(readFileSync(new URL('programs.json', import.meta.url), 'utf8'))

const find = (name) => {
  const { variable, paths } = programs[name]
  const given = process.env[variable]
  if (given && !existsSync(given)) exitWithMessage(`${variable} is ${given}, where nothing is.`)
  return given ?? paths.find((path) => existsSync(path))
}

const run = (command, args) => {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  return spawnSync(command, args, { stdio: 'inherit', env }).status === 0
}

const installable = () => process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')

const aptInstall = (names) => {
  const packages = names.flatMap((name) => programs[name].packages)
  console.log(`Installing ${packages.join(', ')} …`)
  const done = run('apt-get', ['update']) && run('apt-get', ['install', '-y', '--no-install-recommends', ...packages])
  // Debian starts mosquitto as a system daemon, on the port that the server needs.
  if (done && names.includes('mosquitto') && existsSync('/run/systemd/system')) {
    run('systemctl', ['disable', '--now', 'mosquitto'])
  }
}

/**
 * Finds the programs that tests need, and installs them by apt where allowed; returns {VARIABLE: path}, or exits with a
 * message.
 */
export const findPrograms = (names) => {
  const missing = names.filter((name) => !find(name))
  if (missing.length > 0 && installable()) aptInstall(missing)
  const found = names.map((name) => [programs[name].variable, find(name)])
  const lacking = names.filter((name) => !find(name))
  if (lacking.length > 0) {
    exitWithMessage(
      `The tests need ${lacking.join(' and ')}: install ${lacking.length > 1 ? 'them' : 'it'}, or set ` +
        `${lacking.map((name) => programs[name].variable).join(' and ')} to the path.`,
    )
  }
  return Object.fromEntries(found)
}
