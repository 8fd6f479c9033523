import { endpoints } from '@tocsin/contract/all'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { read, sourceFiles } from '../../../../tools/source-tree.ts'
import { startFullServer, type FullServer } from '../full-server.ts'
import { specCalls } from './calls.ts'
import { familyCalls } from './family-calls.ts'
import { withoutParamNames, type Spelling, spellingsOf } from './walk.ts'

// Each test makes hundreds of calls, and the machine may be busy.
vi.setConfig({ testTimeout: 180_000 })

const calls = endpoints.flatMap(spellingsOf)
const found = (call: string): Spelling | undefined =>
  calls.find((item) => withoutParamNames(item.call) === withoutParamNames(call))

let site: FullServer
beforeAll(async () => {
  site = await startFullServer()
})
afterAll(() => site.close())

/** In a session of its own, because some calls end it. */
const codeOf = async ({ method, address }: Spelling, userId?: number): Promise<number | string> => {
  const sent = userId === undefined ? {} : { token: await site.session(userId) }
  const { status, type, text } = await site.call(method, address, sent)
  if (status === 404 || status === 405) return 'nobody serves it'
  return type.startsWith('application/json') ? JSON.parse(text).code : 'file'
}

/** Files with tests of behaviour: tests over all calls do not count for any one of them. */
const behaviour = sourceFiles
  .filter((file) => /^apps\/server\/(src|test)\/.*\.test\.ts$/.test(file) && !file.startsWith('apps/server/test/spec/'))
  .map((file) => ({ file, text: read(file) }))

const escaped = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
/**
 * The path in quotes, perhaps after its method, complete or followed by a query; for a parameter, a test has an id or
 * an expression.
 */
const naming = ({ path }: Spelling) =>
  new RegExp(
    `['"\`](?:[A-Z]+ )?(?:/admin-api)?${path.split(/:\w+/).map(escaped).join('(?:\\$?\\{+[^}]*\\}+|[\\w,]+)')}(?=['"\`?]|\\$\\{)`,
  )

describe('the calls of the specification', () => {
  it('are complete: the list has the specified number in each section', () => {
    expect(
      Map.groupBy(specCalls, ({ section }) => section)
        .entries()
        .map(([name, of]) => [name, of.length])
        .toArray(),
    ).toEqual([
      ['auth', 5],
      ['users', 21],
      ['menus', 14],
      ['dictionaries', 12],
    ])
  })
})

describe('the calls of the specification and of both APIs', () => {
  const named = [...specCalls, ...familyCalls]

  it('are listed once each', () => {
    const names = named.map(({ call }) => withoutParamNames(call))
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([])
  })

  it.each(named)('$call needs the permission of the list', ({ call, may = 'token' }) => {
    expect(found(call)?.endpoint.permission).toBe(may)
  })

  it.each(named)('$call has tests of its behaviour: a success and a rejection', ({ call }) => {
    const result = found(call)
    const spellings = result ? spellingsOf(result.endpoint).map(naming) : []
    const files = behaviour.filter(({ text }) => spellings.some((spelling) => spelling.test(text)))
    expect(files.map(({ file }) => file)).not.toEqual([])
    const held = files.map(({ text }) => text).join('\n')
    expect(held).toMatch(/code: 200|\.code\)\.toBe\(200\)|\.data\)\.to/)
    expect(held).toMatch(/codes\.\w+|code: [14]\d|toBe\([14][\d_]{2,}|refusedFields|errors:/)
  })
})

describe('every call', () => {
  it.each(['', '; boundary=', `; boundary=${'x'.repeat(300)}`, '; boundary=y'])(
    'that takes a form refuses one whose parts cannot be told: %s',
    async (boundary) => {
      const headers = { 'content-type': `multipart/form-data${boundary}` }
      const token = await site.session(site.admin)
      for (const path of ['/api/v1/auth/login', '/api/v1/users/import', '/infra/file/upload'])
        expect(JSON.parse((await site.call('POST', path, { token, headers, payload: '--x\r\n' })).text)).toMatchObject({
          code: 400,
        })
    },
  )

  it('is mounted: each alias answers', async () => {
    const absent: string[] = []
    for (const call of calls) if ((await codeOf(call, site.nobody)) === 'nobody serves it') absent.push(call.call)
    expect(absent).toEqual([])
  })

  it('rejects requests without a session, unless it is open', async () => {
    const entered: string[] = []
    for (const call of calls.filter(({ endpoint }) => endpoint.permission !== 'open'))
      if ((await codeOf(call)) !== 401) entered.push(call.call)
    expect(entered).toEqual([])
  })

  it('rejects users without its permission, and accepts users with it', async () => {
    const wrong: string[] = []
    for (const call of calls.filter(({ endpoint }) => !['open', 'token'].includes(endpoint.permission))) {
      if ((await codeOf(call, site.nobody)) !== 403) wrong.push(`${call.call} lets anybody in`)
      if ([401, 403].includes(Number(await codeOf(call, site.admin))))
        wrong.push(`${call.call} keeps the administrator out`)
    }
    expect(wrong).toEqual([])
  })
})
