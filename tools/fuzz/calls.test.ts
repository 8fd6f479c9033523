import { endpoints } from '@tocsin/contract/all'
import { codes, SESSION_KILLED } from '@tocsin/contract/codes'
import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { Writable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { seedDemo } from '../../apps/server/seed/demo.ts'
import { makeUser } from '../../apps/server/seed/fixtures.ts'
import { makeRecord } from '../../apps/server/seed/record-fixtures.ts'
import { unscoped } from '../../apps/server/src/db/scope.ts'
import { openapi } from '../../apps/server/src/http/openapi.ts'
import { permissionErrorCodes } from '../../apps/server/src/http/business-error.ts'
import { jobHandlers } from '../../apps/server/src/areas/jobs.ts'
import { startJobConsumer } from '../../apps/server/src/jobs/consume.ts'
import { openLog } from '../../apps/server/src/log.ts'
import { quietLog } from '../../apps/server/test/quiet-log.ts'
import {
  startFullServer,
  PASSWORD,
  type ReceivedResponse,
  type FullServer,
} from '../../apps/server/test/full-server.ts'
import { isExpectedBusinessError } from './business-errors.ts'
import { caseOf, type FuzzCase } from './cases.ts'
import { type Operation, operationsOf } from './operation.ts'
import { randomFrom } from './random.ts'
import { SECRET } from './values.ts'
import { openWriteDetector, type WriteDetector } from './write-detector.ts'

/** A sample in `npm test`: one hostile and one valid case. `npm run test:all` and `npm run fuzz` run more. */
const SAMPLE = 2
const CASES = Number(process.env['FUZZ_CASES'] ?? SAMPLE)
/** One of so many cases is valid. */
const VALID = Math.min(6, CASES)
/** The share of operations that accept one of their valid cases: with one each, fewer of them do by chance. */
const MIN_ACCEPTED_SHARE = CASES > SAMPLE ? 1 / 2 : 1 / 3
/** Fixed in a run of all tests; `npm run fuzz` chooses one and prints it. */
const seed = process.env['FUZZ_SEED'] ?? 'tocsin'

const operations = operationsOf(openapi(endpoints, '0.0.0'))

/** Tables that a rejected call may write: logs and counters of attempts, nothing of the subject itself. */
const traces: readonly { call: RegExp; tables: readonly string[] }[] = [
  // Each sign-in attempt is logged and slows the next one down.
  {
    call: /\/auth\/(login|sms-login|activate|social-login|second-factor|unlock)$/,
    tables: ['login_guard', 'login_log'],
  },
  {
    call: /\/(mobile|email|update-mobile|update-email|reset-password|update-password|users\/password|disable-second-factor|social-redirect)$/,
    tables: ['login_guard'],
  },
  // Links to the wall are guessed no faster than this allows.
  { call: /\/wall-board\/(open|base|tile)$/, tables: ['login_guard'] },
  // A code for a number counts its attempts.
  { call: /\/(verify-mobile|verify-contact)$/, tables: ['login_guard'] },
]

const mayLeave = (name: string): string[] => traces.flatMap(({ call, tables }) => (call.test(name) ? tables : []))

/** Audit rows of denied calls and of reads of personal data, which are sealed later. */
const onRecord = ['audit_log', 'audit_unsealed'] as const

/** The worker validates imports; otherwise its writes would count as those of the call. */
const withWorker = async <T>({ path }: Operation, work: () => Promise<T>): Promise<T> => {
  if (!path.endsWith('/import')) return work()
  const worker = await startJobConsumer({ db: site.db, handlers: jobHandlers(), log: quietLog })
  try {
    return await work()
  } finally {
    await worker.stop()
  }
}

/** Waits until the worker has run the jobs of earlier calls. */
const idle = async () => {
  const moving = () =>
    unscoped(site.db, 'a test looks at every job')
      .selectFrom('job')
      .select('id')
      .where('state', 'in', ['QUEUED', 'RUNNING'])
      .executeTakeFirst()
  while (await moving()) await pause(50)
  await writes.written()
}

/** Resets the upload counter: otherwise these cases would be rejected because of the rate of earlier ones. */
const longAgo = async () => {
  const times = { createdAt: sql<Date>`created_at - interval '2 days'` }
  await unscoped(site.db, 'a test ages every file').updateTable('file').set(times).execute()
  await writes.written()
}

let site: FullServer
let writes: WriteDetector
/** Operations that accepted some valid case, and those whose write was read back. */
const accepted = new Set<string>()
const readBack = new Set<string>()
const lines: string[] = []
const tokens: string[] = []

const records = async () => {
  const { id: deptId } = await site.db
    .selectFrom('dept')
    .select('id')
    .where('code', '=', 'EDU')
    .executeTakeFirstOrThrow()
  for (let no = 0; no < 20; no += 1) await makeRecord(site.db, { deptId })
}

const signedIn = async (userId = site.admin) => {
  const token = await site.session(userId)
  tokens.push(token)
  await writes.written()
  return token
}

beforeAll(async () => {
  const to = new Writable({ write: (chunk, _encoding, done) => (lines.push(String(chunk)), done()) })
  // Audits every denied call, however many there are.
  site = await startFullServer({ log: openLog('debug', to), denials: { perSecond: 1e6, atOnce: 1e6 } })
  await seedDemo(site.db, { secrets: randomBytes(32), http: randomBytes(32) })
  await records()
  writes = await openWriteDetector(site.database.owner)
  console.info(`fuzz: ${operations.length} operations, ${CASES} cases each, seed ${seed}`)
})
afterAll(async () => {
  await writes.close()
  await site.close()
})

/** Patterns of internals that no caller may see. */
const inside = /\bat [\w.]+ \(|node_modules|\.ts:\d+|\bselect .* from\b|\bpg_|tocsin_(app|owner)|PostgresError/i

const envelopeOf = ({ type, text }: ReceivedResponse) => {
  if (!type.startsWith('application/json')) return undefined
  return JSON.parse(text) as { code?: unknown; msg?: unknown; data?: unknown; traceId?: unknown }
}

type Refused = { errors?: { field: string }[] } | null
const fieldsIn = (data: unknown): string[] => ((data as Refused)?.errors ?? []).map(({ field }) => field)

/** Returns what is wrong with the fields an error names: a valid call gets none, another the one that is wrong. */
type ErrorAnswer = { code: unknown; msg: unknown; data: unknown }
const misnamed = (call: string, { valid, field }: FuzzCase, { code, msg, data }: ErrorAnswer): string[] => {
  const fields = fieldsIn(data)
  const named = fields.join() || `nothing it names: ${String(msg)}`
  if (valid && code !== 400) return []
  if (valid)
    return isExpectedBusinessError(call, { msg: String(msg), fields }) ? [] : [`valid, but rejected for ${named}`]
  if (field === undefined || fields.some((item) => item.split('.')[0] === field)) return []
  return [`rejected for ${named}, not for ${field}`]
}

/** Codes of calls that were rejected before their input was read. */
const uncheckedCodes = new Set<unknown>(
  [
    codes.forbidden,
    codes.unauthenticated,
    codes.locked,
    codes.mustChangePassword,
    codes.tooMany,
    codes.fileTooMany,
  ].map((item) => item.code),
)

/** Whether an error discloses a current account or department; the own profile is no read of personal data. */
const disclosesPerson = (name: string, { code, data }: { code?: unknown; data?: unknown }): boolean => {
  const { current } = (data ?? {}) as { current?: object }
  if (name.includes('/profile/')) return false
  return code === codes.stale.code && !!current && ('mobile' in current || 'leaderUserId' in current)
}

const faultsOf = (answer: ReceivedResponse, item: FuzzCase, { name, written }: { name: string; written: string[] }) => {
  const envelope = envelopeOf(answer)
  if (!envelope) return answer.status === 200 ? [] : [`HTTP ${answer.status} without an envelope: ${answer.text}`]
  const { code, msg, data, traceId } = envelope
  const refused = code !== 200
  const shown = disclosesPerson(name, envelope)
  const kept = [...mayLeave(name), ...(shown || permissionErrorCodes.has(Number(code)) ? onRecord : [])]
  const wrote = refused ? written.filter((name) => !kept.includes(name)) : []
  return [
    ...(answer.status >= 500 || code === 500 || code === 503 ? [`broken: HTTP ${answer.status}, code ${code}`] : []),
    ...(typeof code !== 'number' && code !== 'A0230' ? [`code ${JSON.stringify(code)}`] : []),
    ...(typeof msg !== 'string' || data === undefined ? ['no whole envelope'] : []),
    ...(refused && (!msg || !traceId) ? ['a refusal without a sentence or a trace id'] : []),
    ...(!refused && item.mustRefuse ? ['taken, though the contract refuses it'] : []),
    ...(refused && !uncheckedCodes.has(code) && code !== SESSION_KILLED
      ? misnamed(name, item, { code, msg, data })
      : []),
    ...(shown && !written.includes('audit_log') ? ['shows somebody, and not on record'] : []),
    ...(wrote.length > 0 ? [`refused with ${code}, and yet wrote ${wrote.join()}`] : []),
    // A trace id is random, and may begin with any text.
    ...(refused && inside.test(answer.text.replace(String(traceId), ''))
      ? [`tells what is inside: ${answer.text.slice(0, 300)}`]
      : []),
  ]
}

const ended = ({ code }: { code?: unknown } = {}) =>
  [401, 'A0230', 1_002_000_021, 1_002_000_012].includes(code as number)

type Fields = Record<string, unknown>
/** Fields that no response returns as they were sent. */
const notBack = new Set(['version', 'password', 'avatar', 'captchaCode', 'captchaKey'])
/** Fields that only some types of menu store. */
const ofPages = new Set(['icon', 'component', 'componentName', 'redirect', 'path', 'type'])

const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null

/**
 * Null clears (DESIGN 5): a cleared field may be returned as the empty value of its type. The rows of a list are returned in
 * their order, with more fields, and with ids where they had none.
 */
const isBack = (sent: unknown, back: unknown): boolean => {
  if (Array.isArray(sent) && Array.isArray(back) && sent.some(isObject))
    return sent.length === back.length && sent.every((row, at) => isRowBack(row, back[at]))
  const [before, after] = [sent, back].map((value) => JSON.stringify(sorted(value)))
  return before === after || (sent === null && ['""', '[]'].includes(after ?? ''))
}
const isRowBack = (sent: unknown, back: unknown): boolean => {
  if (!isObject(sent) || !isObject(back)) return isBack(sent, back)
  return Object.entries(sent).every(([name, value]) => (name === 'id' && value === null) || isBack(value, back[name]))
}

/** An accepted write is read back as it was sent: nothing coerced, trimmed or rounded (trust 4). */
const misread = async ({ method, path }: Operation, wrote: { body: unknown; data: unknown }, token: string) => {
  const read = operations.find((operation) => operation.name === `GET ${path.replace(/[^/]+$/, 'get')}`)
  const sent = (wrote.body ?? {}) as Fields
  const id = path.endsWith('/create') ? wrote.data : sent['id']
  if (!read || method === 'GET' || !/\/(create|update)$/.test(path) || typeof id !== 'number') return []
  const { text } = await site.call('GET', `${read.path}?id=${id}`, { token })
  await writes.written()
  const { code, data } = JSON.parse(text) as { code: unknown; data: Fields }
  readBack.add(`${method} ${path}`)
  if (code !== 200) return [`taken, and then ${read.path} answers ${String(code)}`]
  const differs = Object.entries(sent).filter(
    ([name, value]) =>
      name in data &&
      !notBack.has(name) &&
      !(path.includes('/menu/') && ofPages.has(name)) &&
      // A role stores departments only for the scope of chosen departments.
      !(path.includes('/role/') && name === 'dataScopeDeptIds' && isBack([], data[name])) &&
      !isBack(value, data[name]),
  )
  return differs.map(([name, value]) => `${name} was ${JSON.stringify(value)}, is ${JSON.stringify(data[name])}`)
}
/** Compares ids without their order. */
const sorted = (value: unknown) => (Array.isArray(value) ? [...new Set(value)].toSorted() : value)

/** Runs one case with this token: returns what is wrong with the response, its code, and the written tables. */
const attempt = async (operation: Operation, draw: string, token: string, valid = false) => {
  const random = randomFrom(`${seed} ${operation.name} ${draw}`)
  const result = caseOf(operation, random, valid)
  // Each case has another address, so that no rate limit rejects it.
  const remoteAddress = `10.${random.next(250)}.${random.next(250)}.${random.next(250)}`
  const { path, headers, payload } = result
  const sent = { token, headers, remoteAddress, ...(payload !== undefined && { payload }) }
  const answer = await site.call(operation.method, path, sent)
  const written = await writes.written()
  const describeFault = (fault: string) =>
    `case ${draw}, ${result.how}: ${fault} | ${path} ${payload?.toString().slice(0, 300) ?? ''}`
  const found = faultsOf(answer, result, { name: operation.name, written }).map(describeFault)
  const envelope = envelopeOf(answer)
  if (valid && (envelope ? envelope.code === 200 : answer.status === 200)) {
    accepted.add(operation.name)
    if (envelope)
      found.push(...(await misread(operation, { body: result.body, data: envelope.data }, token)).map(describeFault))
  }
  return { found, envelope, written, told: describeFault }
}

/** A case may have deleted the permission for the call itself: the user gets it back for the next cases. */
const rightAgain = async ({ permission }: Operation): Promise<string> => {
  const left = await site.db.selectFrom('menu').select('id').where('permission', '=', permission).executeTakeFirst()
  const button = { type: 'BUTTON', name: permission.slice(0, 50), nameEn: permission.slice(0, 50), permission } as const
  if (!left) await site.db.insertInto('menu').values(button).execute()
  return signedIn()
}

const fuzz = async (operation: Operation) => {
  const found: string[] = []
  let visibleCases = 0
  let token = await signedIn()
  for (let no = 1; no <= CASES; no += 1) {
    if (operation.path.endsWith('/import')) await idle()
    if (operation.files.length > 0) await longAgo()
    const { found: faults, envelope } = await attempt(operation, String(no), token, no % VALID === 0)
    found.push(...faults)
    if (!uncheckedCodes.has(envelope?.code) && !ended(envelope)) visibleCases += 1
    if (ended(envelope)) token = await signedIn()
    else if (envelope?.code === 403) token = await rightAgain(operation)
  }
  return { found, visibleCases }
}

/**
 * Runs the case as a user without permissions: it must be rejected whatever it sends, and audited where it would write.
 */
const fuzzRightless = async (operation: Operation): Promise<string[]> => {
  const found: string[] = []
  // A new user each time: earlier calls may have granted permissions to any user, or deleted this one.
  const { deptId } = await unscoped(site.db, 'a test looks at every row')
    .selectFrom('users')
    .select('deptId')
    .where('id', '=', site.admin)
    .executeTakeFirstOrThrow()
  const { id } = await makeUser(site.db, { deptId })
  const token = await signedIn(id)
  for (let no = 1; no <= Math.ceil(CASES / 10); no += 1) {
    const { found: faults, envelope, written, told } = await attempt(operation, `rightless ${no}`, token)
    found.push(...faults)
    if (!envelope || envelope.code === 200) found.push(told('taken from who has no right to it'))
    const unseen = envelope?.code === 403 && operation.method !== 'GET' && !written.includes('audit_log')
    if (unseen) found.push(told('not on record'))
  }
  return found
}

describe('bad input', () => {
  it.each(operations)(
    'causes neither a server error nor a forbidden change in $name',
    { timeout: 120_000 + CASES * 5000 },
    async (operation) => {
      const { found, visibleCases } = await withWorker(operation, () => fuzz(operation))
      const byRight = operation.permission.includes(':')
      expect([...found, ...(byRight ? await fuzzRightless(operation) : [])]).toEqual([])
      // Otherwise authentication would reject all cases.
      if (operation.permission !== 'open') expect(visibleCases).toBeGreaterThan(CASES / 3)
    },
  )

  it('accepts valid input', () => {
    console.info(`fuzz: ${accepted.size} operations took a valid case, ${readBack.size} were read back`)
    expect(accepted.size).toBeGreaterThan(operations.length * MIN_ACCEPTED_SHARE)
    expect(readBack.size).toBeGreaterThan(5)
  })

  it('leaves the server running and its administrator able to sign in', async () => {
    const { text } = await site.call('GET', '/system/auth/get-permission-info', { token: await signedIn() })
    expect(JSON.parse(text)).toMatchObject({ code: 200, data: { user: { id: site.admin } } })
  })

  it('writes no secret into the log', () => {
    expect(lines.length).toBeGreaterThan(operations.length)
    const log = lines.join('')
    expect([SECRET, PASSWORD, ...tokens].filter((secret) => log.includes(secret))).toEqual([])
  })
})
