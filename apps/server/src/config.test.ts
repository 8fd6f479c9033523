import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { repoRoot, readConfig, environmentVariables } from './config.ts'

const key = Buffer.alloc(32, 7).toString('base64')
const demo = { demo: true }

describe('readConfig', () => {
  it('starts without any variable', () => {
    expect(readConfig({}, { base: '/srv/tocsin' })).toMatchObject({
      dataDir: '/srv/tocsin/data',
      dataDirGiven: false,
      http: { host: '127.0.0.1', port: 8080 },
      mqtt: { host: '127.0.0.1', port: 1883 },
      ops: { host: '127.0.0.1', port: 9090 },
      timeZone: 'Asia/Shanghai',
      trustedProxies: [],
      logLevel: 'info',
      masterKey: undefined,
      databaseUrl: undefined,
      demo: false,
      test: false,
    })
  })

  it('treats an empty variable as unset and ignores those of other programs', () => {
    expect(readConfig({ TOCSIN_HTTP: '', TOCSIN_NEW: '', PATH: '/bin' }).http.port).toBe(8080)
  })

  it('reads every setting', () => {
    const given = {
      TOCSIN_DATA: '/var/tocsin',
      TOCSIN_HTTP: '0.0.0.0:0',
      TOCSIN_MQTT: '[::1]:1884',
      TOCSIN_MQTT_TLS: '0.0.0.0:8883?cert=/etc/m.crt&key=/etc/m.key',
      TOCSIN_ORIGIN: 'https://alarm.example/',
      TOCSIN_TRUSTED_PROXIES: '10.0.0.5, fd00::/8',
      TOCSIN_IP_REGION: '/etc/tocsin/regions.csv',
      TOCSIN_TZ: 'UTC',
      TOCSIN_MASTER_KEY: key,
      DATABASE_URL: 'postgres://tocsin@db/tocsin',
      MQTT_URL: 'mqtts://broker:8883',
      TOCSIN_DEMO_READONLY: '1',
    }
    expect(readConfig(given)).toMatchObject({
      dataDir: '/var/tocsin',
      dataDirGiven: true,
      http: { host: '0.0.0.0', port: 0 },
      mqtt: { host: '::1', port: 1884 },
      mqttTls: { host: '0.0.0.0', port: 8883, cert: '/etc/m.crt', key: '/etc/m.key' },
      origin: 'https://alarm.example',
      trustedProxies: ['10.0.0.5', 'fd00::/8'],
      timeZone: 'UTC',
      masterKey: Buffer.alloc(32, 7),
      databaseUrl: 'postgres://tocsin@db/tocsin',
      mqttUrl: 'mqtts://broker:8883',
      demoReadonly: true,
    })
  })

  it.each([
    [{ TOCSIN_HTPP: '127.0.0.1:80' }, 'TOCSIN_HTPP is not a setting of this release'],
    [{ TOCSIN_HTTP: '8080' }, 'TOCSIN_HTTP is host:port'],
    [{ TOCSIN_HTTP: '127.0.0.1:65536' }, 'TOCSIN_HTTP is host:port'],
    [{ TOCSIN_MQTT_TLS: '0.0.0.0:8883?cert=/only.crt' }, 'TOCSIN_MQTT_TLS is host:port'],
    [{ TOCSIN_ORIGIN: 'https://alarm.example/console' }, 'TOCSIN_ORIGIN is where browsers find us'],
    [{ TOCSIN_TRUSTED_PROXIES: '10.0.0.0/33' }, 'TOCSIN_TRUSTED_PROXIES is a list of addresses'],
    [{ TOCSIN_TZ: 'Asia/Peking' }, 'TOCSIN_TZ is an IANA time zone'],
    [{ TOCSIN_MASTER_KEY: 'c2hvcnQ=' }, 'TOCSIN_MASTER_KEY is 32 random bytes in base64'],
    [{ TOCSIN_ADMIN_PASSWORD: 'short' }, 'TOCSIN_ADMIN_PASSWORD has at least 8 characters'],
    [{ TOCSIN_DEMO_READONLY: 'yes' }, 'TOCSIN_DEMO_READONLY is 0 or 1'],
    [{ DATABASE_URL: 'mysql://db/x', TOCSIN_MASTER_KEY: key }, 'DATABASE_URL is like postgres://'],
    [{ DATABASE_URL: 'postgres://db/x' }, 'DATABASE_URL needs TOCSIN_MASTER_KEY'],
    [{ TOCSIN_TEST_CAPTCHA: '1234' }, 'TOCSIN_TEST_CAPTCHA is for tests only'],
    [{ TOCSIN_FAULT_AT: 'commit', NODE_ENV: 'production' }, 'TOCSIN_FAULT_AT is for tests only'],
    [
      { TOCSIN_TEST_CAPTCHA: '1234', NODE_ENV: 'test', TOCSIN_MQTT: '0.0.0.0:1883' },
      'TOCSIN_TEST_CAPTCHA needs loopback listeners, and TOCSIN_MQTT is not one',
    ],
    [{ TOCSIN_MQTT: '0.0.0.0:1883' }, 'TOCSIN_MQTT must be a loopback address'],
    [{ TOCSIN_DEMO: '1' }, 'TOCSIN_DEMO is not set by hand'],
  ])('refuses %o', (given, sentence) => {
    expect(() => readConfig(given)).toThrow(sentence)
  })

  it('allows the test settings only in a test on loopback', () => {
    const given = {
      TOCSIN_TEST_CAPTCHA: '1234',
      NODE_ENV: 'test',
      TOCSIN_HTTP: 'localhost:0',
      TOCSIN_MQTT: '127.0.0.2:0',
    }
    expect(readConfig(given)).toMatchObject({ testCaptcha: '1234', test: true })
  })

  it('starts the demo by its flag, and on loopback only', () => {
    expect(readConfig({ TOCSIN_DEMO: '1' }, demo).demo).toBe(true)
    expect(() => readConfig({ TOCSIN_HTTP: '0.0.0.0:8080' }, demo)).toThrow('TOCSIN_HTTP must be a loopback address')
  })
})

/** Set by tests and by `npm run demo`, not by hand. */
const internal = ['NODE_ENV', 'TOCSIN_DEMO', 'TOCSIN_TEST_CAPTCHA', 'TOCSIN_FAULT_AT']

it('documents every setting in the table of the README, and nothing else', () => {
  const readme = readFileSync(join(repoRoot, 'README.md'), 'utf8')
  const documented = [...readme.matchAll(/^\| `([A-Z][A-Z0-9_]+)` \|/gm)].map(([, name]) => name)
  expect(documented.toSorted()).toEqual(environmentVariables.filter((name) => !internal.includes(name)).toSorted())
})
