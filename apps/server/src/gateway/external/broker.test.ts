import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { access, chmod, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { createCertificate } from '../../../test/certificate.ts'
import { openGatewayFixture, type GatewayFixture } from '../../../test/gateway-fixture.ts'
import { runMosquitto } from '../../../test/mosquitto.ts'
import { testPrefix } from '../../../test/kill-leftovers.ts'
import { freePort } from '../../../../../tools/fault/port.ts'
import { databaseUrl } from '../../../../../tools/fault/fault-setup.ts'

// DESIGN 3 and 6: an external broker with the configuration of `npm run broker-config`, stopped and started again.

let fixture: GatewayFixture
const ends: (() => Promise<unknown> | unknown)[] = []
beforeAll(async () => {
  fixture = await openGatewayFixture()
})
afterEach(async () => {
  await fixture.clear()
  for (const end of ends.splice(0).reverse()) await end()
})
afterAll(() => fixture.close())

const folderOf = async () => {
  const folder = await mkdtemp(join(tmpdir(), testPrefix))
  ends.push(() => rm(folder, { recursive: true }))
  return folder
}
const quietRun = (file: string, args: string[], more: Record<string, string> = {}) =>
  spawn(process.execPath, [join(import.meta.dirname, '../..', file), ...args], {
    env: {
      PATH: process.env['PATH'],
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
      NODE_ENV: 'test',
      DATABASE_URL: databaseUrl(fixture.database.owner),
      TOCSIN_MASTER_KEY: fixture.masterKey.toString('base64'),
      ...more,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
const run = (...signal: Parameters<typeof quietRun>) => {
  const child = quietRun(...signal)
  child.stderr.pipe(process.stderr)
  return child
}
/** Runs the command of the operator and returns its output. */
const writeConfig = async (folder: string, port: number, servers: number, tls = '') => {
  const command = run('broker-config.ts', [folder, `127.0.0.1:${port}${tls}`, `127.0.0.1:${servers}${tls}`])
  const [said] = await Promise.all([text(command.stdout), once(command, 'exit')])
  return { said, mqttUrl: /MQTT_URL=(\S+)/.exec(said)?.[1] ?? '' }
}
const startServer = async (mqttUrl: string, more: Record<string, string> = {}) => {
  const port = await freePort()
  const settings = { TOCSIN_HTTP: `127.0.0.1:${port}`, TOCSIN_OPS: '127.0.0.1:0', TOCSIN_LOG_LEVEL: 'fatal' }
  const server = run('main.ts', [], {
    ...settings,
    ...more,
    TOCSIN_DATA: await folderOf(),
    TOCSIN_ADMIN_PASSWORD: 'not-used-by-this-test',
    MQTT_URL: mqttUrl,
  })
  ends.push(async () => {
    if (server.exitCode === null && server.kill()) await once(server, 'exit')
  })
  return async (path: string) => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`).catch(() => undefined)
    return answer && { status: answer.status, ...((await answer.json()) as Record<string, boolean>) }
  }
}

it('is not ready while the broker is down, and receives messages again when it is back', async () => {
  const device = await fixture.device()
  const [folder, port, servers] = [await folderOf(), await freePort(), await freePort()]
  const { said, mqttUrl } = await writeConfig(folder, port, servers)
  expect(said).toContain('1 device may connect (1 added, 0 removed, 0 with a new secret).')
  expect(said).toContain('mosquitto.conf: new')
  const broker = await runMosquitto(folder)
  ends.push(() => broker.kill())
  const ask = await startServer(mqttUrl)
  await expect
    .poll(() => ask('/readyz'))
    .toEqual({ status: 200, database: true, live: true, broker: true, storage: true, intake: true, room: true })
  const fleet = fixture.fleet({ devices: [device.credential], mqtt: `mqtt://127.0.0.1:${port}` })
  await fleet.connected()
  const presses = async () =>
    (await fixture.query<{ n: number }>('select occurrence_count as n from warn_record'))[0]?.n ?? 0
  fleet.press(device.sn)
  await expect.poll(presses).toBe(1)

  await broker.kill('SIGKILL')
  await expect.poll(() => ask('/readyz')).toMatchObject({ status: 503, database: true, live: true, broker: false })
  expect(await ask('/livez')).toMatchObject({ status: 200 })
  fleet.press(device.sn)

  const back = await runMosquitto(folder)
  ends.push(() => back.kill())
  await expect.poll(() => ask('/readyz')).toMatchObject({ status: 200, broker: true })
  await expect.poll(fleet.unsent).toBe(0)
  expect(await presses()).toBe(2)

  // Devices change while the broker runs: the files are written again, and a SIGHUP reloads them.
  const newcomer = await fixture.device()
  await chmod(join(folder, 'passwd'), 0o640)
  const owner = (await stat(join(folder, 'passwd'))).uid
  const { said: changes } = await writeConfig(folder, port, servers)
  expect(changes).toContain('2 devices may connect (1 added, 0 removed, 0 with a new secret).')
  expect(changes).toMatch(
    /passwd: changed\n.*acl: unchanged\n.*servers.passwd: unchanged\n.*conf: unchanged\nSend SIGHUP/s,
  )
  expect(await stat(join(folder, 'passwd'))).toMatchObject({ uid: owner, mode: 0o100640 })
  expect((await writeConfig(folder, port, servers)).said).toContain('Nothing has changed')
  back.signal('SIGHUP')
  const more = fixture.fleet({ devices: [newcomer.credential], mqtt: `mqtt://127.0.0.1:${port}` })
  await more.connected()
  expect(await ask('/readyz')).toMatchObject({ status: 200 })
})

it('serves TLS to devices and servers with the configured certificate', async () => {
  const device = await fixture.device()
  const [folder, port, servers] = [await folderOf(), await freePort(), await freePort()]
  const { cert, key } = createCertificate()
  const files = { cert: join(folder, 'broker.crt'), key: join(folder, 'broker.key') }
  await writeFile(files.cert, cert)
  await writeFile(files.key, key)
  const { mqttUrl } = await writeConfig(folder, port, servers, `?${new URLSearchParams(files).toString()}`)
  expect(mqttUrl).toMatch(/^mqtts:/)
  const broker = await runMosquitto(folder)
  ends.push(() => broker.kill())
  const ask = await startServer(mqttUrl, { NODE_EXTRA_CA_CERTS: files.cert })
  await expect.poll(() => ask('/readyz')).toMatchObject({ status: 200, broker: true })
  const fleet = fixture.fleet({ devices: [device.credential], mqtt: `mqtts://127.0.0.1:${port}`, ca: cert })
  await fleet.connected()
  fleet.press(device.sn)
  await expect.poll(fleet.unsent).toBe(0)
})

it.each([
  ['of devices', ['10.0.0.5:1883', '127.0.0.1:1884']],
  ['of servers', ['127.0.0.1:1883', '0.0.0.0:1884']],
])('writes no listener %s when secrets would cross the network in clear', async (_whose, at) => {
  const folder = join(await folderOf(), 'broker')
  const command = quietRun('broker-config.ts', [folder, ...at])
  const [said, [code]] = await Promise.all([text(command.stderr), once(command, 'exit')])
  expect(code).toBe(1)
  expect(said).toMatch(/is not a loopback address, and secrets would cross the network in clear/)
  await expect(access(folder)).rejects.toThrow()
})

it('prints help when asked, and says what to do when the database has no tables or an option is unknown', async () => {
  const answer = async (args: string[], more: Record<string, string> = {}) => {
    const command = quietRun('broker-config.ts', args, more)
    const [out, error] = await Promise.all([text(command.stdout), text(command.stderr), once(command, 'exit')])
    return { out, error, code: command.exitCode }
  }
  const help = await answer(['--help'])
  expect(help).toMatchObject({ out: expect.stringContaining('--help'), error: '', code: 0 })
  expect(await answer(['--other'])).toMatchObject({ error: expect.stringContaining('npm run broker-config'), code: 1 })
  const url = new URL(databaseUrl(fixture.database.owner))
  url.pathname = '/template1'
  expect(await answer([join(await folderOf(), 'broker')], { DATABASE_URL: url.href })).toMatchObject({
    error: expect.stringContaining('Start the server once'),
    code: 1,
  })
})
