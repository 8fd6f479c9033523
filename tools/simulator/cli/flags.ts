import { parseArgs } from 'node:util'
import { AlarmCode } from '@tocsin/protocol/alarm'
import { DeviceMode } from '@tocsin/protocol/message-header'
import { z } from 'zod'

const number = (least: number, most: number) =>
  z
    .string()
    .regex(/^\d+(\.\d+)?$/, `must be a number from ${least} to ${most}`)
    .transform(Number)
    .pipe(z.number().min(least, `must be at least ${least}`).max(most, `must be at most ${most}`))
const whole = (least: number, most: number) =>
  number(least, most).pipe(z.number().refine(Number.isInteger, 'must be a whole number'))
const oneOf = (options: readonly string[]) => z.enum(options, `must be one of ${options.join(', ')}`)
const url = (protocols: string[]) =>
  z
    .string()
    .refine(
      (text) => protocols.includes(URL.parse(text)?.protocol ?? ''),
      `must begin with ${protocols.join('// or ')}//`,
    )

const Mqtt = z
  .string()
  .transform((text) => (text.includes('://') ? text : `mqtt://${text}`))
  .pipe(
    z
      .string()
      .refine(
        (text) => /^mqtts?:\/\/[^/:]+:\d+$/.test(text),
        'must be host:port, mqtt://host:port or mqtts://host:port',
      ),
  )

type Flag = { schema: z.ZodType; value: string; initial?: string; zh: string; en: string }

/** Every flag with its check, its default and its help line. */
const flags = {
  fleet: {
    schema: z.string().min(1),
    value: 'FILE',
    zh: '设备清单 [{productKey, sn, secret}]，必填',
    en: 'the devices and their secrets; required',
  },
  devices: {
    schema: whole(1, 100_000),
    value: 'N',
    zh: '只用清单中的前 N 台，默认全部',
    en: 'use the first N of the fleet; default all',
  },
  mqtt: {
    schema: Mqtt,
    value: 'HOST:PORT',
    initial: '127.0.0.1:1883',
    zh: 'MQTT 地址，可写 mqtts://',
    en: 'broker, mqtts:// for TLS',
  },
  ca: { schema: z.string().min(1), value: 'FILE', zh: 'TLS 根证书 (PEM)', en: 'own authority for TLS, PEM' },
  http: {
    schema: url(['http:', 'https:']),
    value: 'URL',
    zh: 'HTTP 备用通道，不写则无',
    en: 'address of the HTTP fallback; none when left out',
  },
  rate: {
    schema: number(0, 10_000),
    value: 'N',
    initial: '1',
    zh: '每秒按下次数（全部设备合计）',
    en: 'presses a second over all devices',
  },
  seconds: {
    schema: whole(0, 31_536_000),
    value: 'N',
    initial: '60',
    zh: '按键持续时间，0 为直到 Ctrl-C',
    en: 'how long to press; 0 until Ctrl-C',
  },
  pattern: {
    schema: oneOf(['steady', 'now-and-then']),
    value: 'NAME',
    initial: 'steady',
    zh: 'steady 匀速；now-and-then 每台偶尔按下',
    en: 'steady: by --rate; now-and-then: every device rarely',
  },
  'mean-minutes': {
    schema: number(0.01, 525_600),
    value: 'N',
    initial: '30',
    zh: 'now-and-then 时每台的平均间隔',
    en: 'mean time between presses of one device, for now-and-then',
  },
  'reset-after': {
    schema: whole(0, 86_400),
    value: 'SECONDS',
    initial: '0',
    zh: '警情被认领多久后有人在现场手动复位，0 为无人复位',
    en: 'somebody on site resets a button so long after its alarm was claimed; 0 for nobody',
  },
  mode: { schema: DeviceMode, value: 'MODE', initial: 'LIVE', zh: 'LIVE 真实；TEST 测试', en: 'LIVE or TEST' },
  code: {
    schema: AlarmCode,
    value: 'CODE',
    initial: 'PANIC',
    zh: '报警代码',
    en: `one of ${AlarmCode.options.join(' ')}`,
  },
  ledger: {
    schema: z.string().min(1),
    value: 'FILE',
    zh: '账本：发送前先落盘，逐行 JSON',
    en: 'journal of every event, written before it is sent',
  },
  heartbeat: {
    schema: whole(0, 86_400),
    value: 'SECONDS',
    initial: '30',
    zh: '心跳间隔，0 为不发',
    en: 'time between heartbeats; 0 for none',
  },
  drain: {
    schema: whole(0, 86_400),
    value: 'SECONDS',
    initial: '60',
    zh: '结束后等待回执的最长时间',
    en: 'longest wait for receipts at the end',
  },
  seed: {
    schema: whole(0, 4_294_967_295),
    value: 'N',
    initial: '1',
    zh: '随机种子，同种子同顺序',
    en: 'same seed, same presses',
  },
  'connect-at-once': {
    schema: whole(1, 10_000),
    value: 'N',
    initial: '50',
    zh: '同时建立的连接数',
    en: 'connections being made at the same time',
  },
  copies: {
    schema: whole(1, 5),
    value: 'N',
    initial: '1',
    zh: '故障：每条随机重发 1–N 份',
    en: 'fault: send every event 1 to N times',
  },
  'reorder-ms': {
    schema: whole(0, 600_000),
    value: 'MS',
    initial: '0',
    zh: '故障：随机推迟，使次序颠倒',
    en: 'fault: delay at random, so that events overtake',
  },
} satisfies Record<string, Flag>

const switches = {
  fsync: { zh: '账本每行同步到磁盘', en: 'sync the ledger to disk at each line' },
  'two-sockets': { zh: '故障：同一设备第二个连接再发一次', en: 'fault: send again over a second connection' },
  'http-only': {
    zh: '不建立 MQTT 连接，只经 HTTP 发送 [http://127.0.0.1:8080]',
    en: 'no MQTT connections, press over HTTP alone: for devices that another simulator has',
  },
  'http-at-once': { zh: '故障：同时经 HTTP 发送', en: 'fault: send over HTTP at the same moment' },
  'until-stdin-ends': { zh: '标准输入关闭时结束', en: 'end when standard input ends' },
  help: { zh: '显示本说明', en: 'show this' },
}

type Name = keyof typeof flags
type SwitchName = keyof typeof switches
type Checked = {
  [N in Name]:
    | z.output<(typeof flags)[N]['schema']>
    | ((typeof flags)[N] extends { initial: string } ? never : undefined)
}
export type Flags = Checked & Record<SwitchName, boolean>

/** Throws an Error whose message names the flag. Nothing is opened or connected before all flags are valid. */
export const readFlags = (args: string[]): Flags => {
  const options = {
    ...Object.fromEntries(Object.keys(flags).map((name) => [name, { type: 'string' as const }])),
    ...Object.fromEntries(Object.keys(switches).map((name) => [name, { type: 'boolean' as const }])),
  }
  const { values } = parseArgs({ args, options, strict: true, allowPositionals: false })
  const read = Object.entries<Flag>(flags).map(([name, { schema, initial }]) => {
    const text = values[name] ?? initial
    if (text === undefined) return [name, undefined]
    const checked = schema.safeParse(text)
    if (!checked.success) throw new Error(`--${name} ${checked.error.issues[0]?.message ?? 'is wrong'}, not "${text}"`)
    return [name, checked.data]
  })
  const on = Object.keys(switches).map((name) => [name, values[name] === true])
  // Every value was parsed by the schema of its own flag just now.
  const result = Object.fromEntries([...read, ...on]) as Flags
  if (!result.fleet && !result.help) throw new Error('--fleet is required: the file with the devices and their secrets')
  return result
}

export const helpText = (): string => {
  const line = (left: string, text: { zh: string; en: string }, initial?: string) =>
    `  ${left.padEnd(28)}${text.zh}\n${' '.repeat(30)}${text.en}${initial === undefined ? '' : ` [${initial}]`}`
  return [
    '模拟报警设备：真实 MQTT 连接，断线重发，HTTP 备用通道，独立账本。',
    'Simulates alarm devices: real MQTT connections, repeats until confirmed, HTTP fallback, an own ledger.',
    '',
    'npm run simulate -- --fleet data/crowd.json --devices 1000 --rate 50 --seconds 60',
    '',
    ...Object.entries<Flag>(flags).map(([name, flag]) => line(`--${name} ${flag.value}`, flag, flag.initial)),
    ...Object.entries(switches).map(([name, text]) => line(`--${name}`, text)),
    '',
    '全部确认时退出码为 0，仍有未确认为 1，参数错误为 2。',
    'Exit code 0 when every event was confirmed, 1 when some were not, 2 when a flag is wrong.',
  ].join('\n')
}
