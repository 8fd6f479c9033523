import { resolve } from 'node:path'
import { z } from 'zod'
import {
  brokerUrl,
  type ListenAddress,
  listener,
  loopback,
  masterKey,
  mqttTls,
  databaseUrl,
  origin,
  proxies,
  s3Url,
  timeZone,
} from './config-values.ts'

export type { ListenAddress } from './config-values.ts'

/** The folder of this checkout. */
export const repoRoot = resolve(import.meta.dirname, '../../..')

/** A start that fails for a reason the operator can fix: main prints only the sentence and exits with 1. */
export class StartupError extends Error {}

/** The logger of the modules below main; a pino logger fits. */
export type Log = Record<'info' | 'warn' | 'error', (text: string) => void>

const flag = z
  .enum(['0', '1'], 'is 0 or 1')
  .transform((value) => value === '1')
  .default(false)

const Environment = z.object({
  NODE_ENV: z.string().optional(),
  TOCSIN_DATA: z.string().optional(),
  TOCSIN_HTTP: listener.default({ host: '127.0.0.1', port: 8080 }),
  TOCSIN_MQTT: listener.default({ host: '127.0.0.1', port: 1883 }),
  TOCSIN_MQTT_TLS: mqttTls.optional(),
  TOCSIN_OPS: listener.default({ host: '127.0.0.1', port: 9090 }),
  TOCSIN_ORIGIN: origin.optional(),
  TOCSIN_TRUSTED_PROXIES: proxies.default([]),
  TOCSIN_IP_REGION: z.string().optional(),
  TOCSIN_TZ: timeZone.default('Asia/Shanghai'),
  TOCSIN_MASTER_KEY: masterKey.optional(),
  DATABASE_URL: databaseUrl.optional(),
  MQTT_URL: brokerUrl.optional(),
  S3_URL: s3Url.optional(),
  TOCSIN_ADMIN_PASSWORD: z.string().min(8, 'has at least 8 characters').max(64, 'has at most 64 characters').optional(),
  TOCSIN_TIANDITU_KEY: z.string().optional(),
  TOCSIN_TIANDITU_BROWSER_KEY: z.string().optional(),
  TOCSIN_TIANDITU_URL: z.url().optional(),
  TOCSIN_MAP_TILES: z.string().optional(),
  TOCSIN_MAP_ROADS: z.string().optional(),
  TOCSIN_DEMO: flag,
  TOCSIN_DEMO_READONLY: flag,
  TOCSIN_LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
  TOCSIN_TEST_CAPTCHA: z.string().optional(),
  TOCSIN_FAULT_AT: z.string().optional(),
})

/** Names of all environment variables that the server reads. */
export const environmentVariables: string[] = Object.keys(Environment.shape)

type Values = z.output<typeof Environment>

/** The complete configuration; no other module reads the environment. */
export type Config = {
  /** NODE_ENV=test. */
  test: boolean
  /** Started as the demo: three schools and simulated devices, loopback only. */
  demo: boolean
  /** The demo rejects changes to accounts and settings. */
  demoReadonly: boolean
  /** Absolute. The embedded database may move a default (see startEmbeddedPostgres): use the folder it returns. */
  dataDir: string
  /** Whether TOCSIN_DATA was set. */
  dataDirGiven: boolean
  /** Port 0 means "any free one". */
  http: ListenAddress
  mqtt: ListenAddress
  /** Undefined: no TLS listener. `cert` and `key` are PEM files; undefined: tls/mqtt.crt, tls/mqtt.key in dataDir. */
  mqttTls: (ListenAddress & { cert?: string; key?: string }) | undefined
  ops: ListenAddress
  /** The address browsers use, like `https://alarm.example`; undefined: the Host header. */
  origin: string | undefined
  /** Addresses or CIDR networks whose X-Forwarded-For is trusted. */
  trustedProxies: string[]
  /** Absolute path of the file that maps networks to regions; undefined: only built-in regions are shown. */
  ipRegion: string | undefined
  /** IANA name. */
  timeZone: string
  /** 32 bytes; undefined: a file in the data directory. */
  masterKey: Buffer | undefined
  /** Undefined: the embedded PostgreSQL. */
  databaseUrl: string | undefined
  /** Undefined: the embedded broker. */
  mqttUrl: string | undefined
  /** Undefined: files in the data directory. */
  s3Url: string | undefined
  /** Password of the first administrator; undefined: a random one is generated and printed once. */
  adminPassword: string | undefined
  /** Where base maps and roads come from. */
  map: Record<'key' | 'browserKey' | 'url' | 'local' | 'roads', string | undefined>
  logLevel: Values['TOCSIN_LOG_LEVEL']
  /** Tests only: the answer that every captcha accepts. */
  testCaptcha: string | undefined
  /** Tests only: the named point in the code at which the process kills itself. */
  faultAt: string | undefined
}

type Given = Record<string, string | undefined>

const decode = (given: Given): Values => {
  // Compose files and unit files express "not set" by an empty variable.
  const set = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined && value !== ''))
  const unknown = Object.keys(set).find((name) => name.startsWith('TOCSIN_') && !(name in Environment.shape))
  if (unknown) throw new StartupError(`${unknown} is not a setting of this release. Remove it, or correct its name.`)
  const parsed = Environment.safeParse(set)
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]
  throw new StartupError(`${String(issue?.path[0])} ${issue?.message}.`)
}

const exposed = (values: Values): string | undefined => {
  const listeners = { TOCSIN_HTTP: values.TOCSIN_HTTP, TOCSIN_MQTT: values.TOCSIN_MQTT, TOCSIN_OPS: values.TOCSIN_OPS }
  const all = Object.entries({ ...listeners, TOCSIN_MQTT_TLS: values.TOCSIN_MQTT_TLS })
  return all.find(([, at]) => at && !loopback(at))?.[0]
}

const refuse = (values: Values, demo: boolean) => {
  const testOnly = (['TOCSIN_TEST_CAPTCHA', 'TOCSIN_FAULT_AT'] as const).find((name) => values[name] !== undefined)
  const open = exposed(values)
  if (testOnly && values.NODE_ENV !== 'test') throw new StartupError(`${testOnly} is for tests only (NODE_ENV=test).`)
  if (testOnly && open) throw new StartupError(`${testOnly} needs loopback listeners, and ${open} is not one.`)
  if (values.TOCSIN_DEMO && !demo) throw new StartupError('TOCSIN_DEMO is not set by hand: use "npm run demo".')
  if (demo && open) throw new StartupError(`The demo is for this machine alone: ${open} must be a loopback address.`)
  if (!loopback(values.TOCSIN_MQTT)) {
    throw new StartupError(
      'TOCSIN_MQTT must be a loopback address, or devices would send their secrets in clear: use TOCSIN_MQTT_TLS.',
    )
  }
  if (values.DATABASE_URL && !values.TOCSIN_MASTER_KEY) {
    throw new StartupError('DATABASE_URL needs TOCSIN_MASTER_KEY: all servers of one database share one key.')
  }
}

/**
 * Reads the environment, or rejects the start with a sentence that names the variable. `demo` is the command line flag:
 * TOCSIN_DEMO alone starts no demo.
 */
export const readConfig = (given: Given, { demo = false, base = repoRoot } = {}): Config => {
  const values = decode(given)
  refuse(values, demo)
  return {
    test: values.NODE_ENV === 'test',
    demo,
    demoReadonly: values.TOCSIN_DEMO_READONLY,
    dataDir: resolve(base, values.TOCSIN_DATA ?? 'data'),
    dataDirGiven: values.TOCSIN_DATA !== undefined,
    http: values.TOCSIN_HTTP,
    mqtt: values.TOCSIN_MQTT,
    mqttTls: values.TOCSIN_MQTT_TLS,
    ops: values.TOCSIN_OPS,
    origin: values.TOCSIN_ORIGIN,
    trustedProxies: values.TOCSIN_TRUSTED_PROXIES,
    ipRegion: values.TOCSIN_IP_REGION && resolve(base, values.TOCSIN_IP_REGION),
    timeZone: values.TOCSIN_TZ,
    masterKey: values.TOCSIN_MASTER_KEY,
    databaseUrl: values.DATABASE_URL,
    mqttUrl: values.MQTT_URL,
    s3Url: values.S3_URL,
    adminPassword: values.TOCSIN_ADMIN_PASSWORD,
    map: {
      key: values.TOCSIN_TIANDITU_KEY,
      browserKey: values.TOCSIN_TIANDITU_BROWSER_KEY,
      url: values.TOCSIN_TIANDITU_URL,
      local: values.TOCSIN_MAP_TILES && resolve(base, values.TOCSIN_MAP_TILES),
      roads: values.TOCSIN_MAP_ROADS && resolve(base, values.TOCSIN_MAP_ROADS),
    },
    logLevel: values.TOCSIN_LOG_LEVEL,
    testCaptcha: values.TOCSIN_TEST_CAPTCHA,
    faultAt: values.TOCSIN_FAULT_AT,
  }
}
