import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openGatewayFixture, type GatewayFixture } from '../../test/gateway-fixture.ts'
import { testPrefix } from '../../test/kill-leftovers.ts'

const checkout = join(import.meta.dirname, '../../../..')

/** Replacements for programs that may not be installed: they accept the options of the page and reject others. */
const standIns = {
  mosquitto_pub: `
    const text = { type: 'string' }
    const options = { host: { ...text, short: 'h' }, port: { ...text, short: 'p' }, id: { ...text, short: 'i' },
      username: { ...text, short: 'u' }, pw: { ...text, short: 'P' }, qos: { ...text, short: 'q' },
      topic: { ...text, short: 't' }, message: { ...text, short: 'm' } }
    const { host, port, id: clientId, username, pw: password, qos, topic, message } = parseArgs({ options }).values
    const mqtt = require(${JSON.stringify(join(checkout, 'node_modules/mqtt'))})
    const link = await mqtt.connectAsync('mqtt://' + host + ':' + port, { clientId, username, password, protocolVersion: 4 })
    await link.publishAsync(topic, message, { qos: Number(qos) })
    await link.endAsync()`,
  curl: `
    const options = { silent: { type: 'boolean', short: 's' }, data: { type: 'string', short: 'd' },
      header: { type: 'string', short: 'H', multiple: true } }
    const { values, positionals: [url] } = parseArgs({ options, allowPositionals: true })
    const headers = values.header.map((line) => line.split(': '))
    const response = await fetch(url, { method: 'POST', headers, body: values.data })
    process.stdout.write(response.status + ' ' + await response.text())`,
}

let fixture: GatewayFixture
let folder: string
beforeAll(async () => {
  fixture = await openGatewayFixture()
  folder = mkdtempSync(join(tmpdir(), testPrefix))
  await mkdir(join(folder, 'data'))
  for (const [name, body] of Object.entries(standIns)) {
    const text = `#!${process.execPath}\nconst { parseArgs } = require('node:util')\nvoid (async () => {${body}\n})()\n`
    writeFileSync(join(folder, name), text, { mode: 0o755 })
  }
})
afterAll(async () => {
  await fixture.close()
  rmSync(folder, { recursive: true })
})

it('runs the device section of the README word for word', async () => {
  const [, page = ''] = readFileSync(join(checkout, 'README.md'), 'utf8').split('## A device in one page')
  const blocks = [...(page.split('\n## ')[0] ?? '').matchAll(/^```bash\n(.*?)^```/gms)].map(([, block = '']) => block)
  expect(blocks).toHaveLength(2)
  const { http, port } = await fixture.gateway()
  const { id, credential } = await fixture.device()
  const { productKey, sn, secret } = credential
  const fleet = [{ productKey, sn, secret: Buffer.from(secret).toString('base64url') }]
  writeFileSync(join(folder, 'data/fleet.json'), JSON.stringify(fleet))
  const written = blocks.join('\n')
  const script = written
    .replace('-h 127.0.0.1 -p 1883', `-h 127.0.0.1 -p ${port}`)
    .replace('http://127.0.0.1:8080', http)
  expect(script).not.toMatch(/1883|8080/)
  const { PATH } = process.env
  const env = { ...process.env, PATH: [folder, dirname(process.execPath), PATH].join(delimiter) }
  const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', script], { cwd: folder, env })
  const [status, ...said] = stdout.split(' ')
  expect([status, JSON.parse(said.join(' '))]).toEqual([
    '202',
    { recordNo: expect.any(String), stage: 'accepted', eventId: expect.stringMatching(/^readme-/) },
  ])
  expect(
    await fixture.query('select via, code, mode, kind from signal where device_id = $1 order by received_at', [id]),
  ).toEqual(['MQTT', 'HTTP'].map((via) => ({ via, code: 'PANIC', mode: 'LIVE', kind: 'ALARM' })))
})
