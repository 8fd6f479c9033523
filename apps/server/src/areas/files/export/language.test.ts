import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeUser } from '../../../../seed/fixtures.ts'
import { type AdminServer, startAdminServer } from '../../../../test/admin-server.ts'
import { linesOf, openJobFixture, type JobFixture, workbook } from '../../../../test/job-fixture.ts'
import { unscoped } from '#db/scope'
import { writeAudit } from '#areas/audit/audit'
import { configurations } from '#areas/settings/routes'
import { dictEntries, dictionaries } from '#areas/settings/dict/routes'
import { logRoutes } from '#areas/audit/log/routes'

const chinese = /\p{Script=Han}/u
const bytesOf = async (response: Response) => new Uint8Array(await response.arrayBuffer())
const nameIn = (response: { headers: Headers }) =>
  decodeURIComponent(String(response.headers.get('content-disposition')))

describe('spreadsheets of users in English', () => {
  let world: JobFixture
  beforeAll(async () => {
    world = await openJobFixture()
    await makeUser(world.db, { username: 'one', sex: 'FEMALE', deptId: world.east.id, roles: ['guard'] })
    await makeUser(world.db, { username: 'off', enabled: false, deptId: world.east.id })
  })
  afterAll(() => world.close())

  it('have English headings and labels, including renamed dictionary entries', async () => {
    const response = await world.fetchFile('/system/user/export?lang=en&username=on')
    expect(nameIn(response)).toContain('Users.xlsx')
    const [head = [], line] = await linesOf(await bytesOf(response))
    expect(head.slice(0, 4)).toEqual(['User id', 'User name', 'Name', 'Department'])
    expect(head.join()).not.toMatch(chinese)
    expect([line?.[head.indexOf('Sex')], line?.[head.indexOf('Status')]]).toEqual(['Female', 'Enabled'])
    const entries = unscoped(world.db, 'test').updateTable('dictData').where('dictType', '=', 'common_status')
    await entries.where('value', '=', '1').set({ labelEn: 'Barred' }).execute()
    const renamed = await world.download('/system/user/export?lang=en&format=csv&username=off')
    expect(renamed[1]?.[head.indexOf('Status')]).toBe('Barred')
    // An entry without an English label uses its only label.
    await entries.where('value', '=', '1').set({ labelEn: null }).execute()
    const bare = await world.download('/system/user/export?lang=en&format=csv&username=off')
    expect(bare[1]?.[head.indexOf('Status')]).toBe('关闭')
    await entries.where('value', '=', '1').set({ labelEn: 'Disabled' }).execute()
    expect((await world.get('/system/user/export?lang=fr')).data).toMatchObject({ errors: [{ field: 'lang' }] })
  })

  it('are in English in the background too, with an English name', async () => {
    const { data } = await world.post('/system/user/export-later?lang=en&format=csv&username=one', undefined)
    const job = await world.until(Number(data), 'DONE')
    expect(job).toMatchObject({ title: 'Users' })
    const text = await (await fetch(new URL(job.url ?? '', world.base))).text()
    expect(text.split('\r\n')[0]).not.toMatch(chinese)
  })

  it.each([
    ['/system/role/export?code=super_admin', /super_admin,Built in,.*,All data,Enabled/],
    ['/bully/merchant-user/export?', undefined],
  ])('of %s too', async (path, row) => {
    const [head, line] = await world.download(`${path}&lang=en&format=csv`)
    expect(head?.join()).toMatch(/^[A-Z]/)
    expect(head?.join()).not.toMatch(chinese)
    if (row) expect(line?.join()).toMatch(row)
  })

  it('are in English through the compatibility API too, and in Chinese without a language', async () => {
    const [head = []] = await world.download('/api/v1/users/export?keywords=one&lang=en')
    expect(head.join()).toMatch(/^User id/)
    expect(head.join()).not.toMatch(chinese)
    const [chineseHead] = await world.download('/api/v1/users/export?keywords=one')
    expect(chineseHead?.[0]).toBe('用户编号')
  })

  it('are filled in and imported again: template, rejected rows, and outcome of each row', async () => {
    const template = await world.fetchFile('/system/user/get-import-template?lang=en')
    expect(nameIn(template)).toContain('Import of users.xlsx')
    const bytes = await bytesOf(template)
    const [head = [], sample] = await linesOf(bytes)
    expect(head.join()).not.toMatch(chinese)
    expect(sample?.slice(5, 7)).toEqual(['Male', 'Enabled'])
    expect((await world.check(bytes)).counts).toEqual({ create: 2, update: 0, same: 0, bad: 0 })

    const { id } = await world.check(
      await workbook(
        [
          ['english.one', 'One', world.east.id, null, null, 'Female', 'Disabled', 'guard', null],
          ['english.two', 'Two', world.east.id, 'no', null, 'Fem', 'Enabled', null, null],
        ],
        head,
      ),
    )
    expect(nameIn(await world.fetchFile(`/system/user/import-bad-rows?id=${id}&lang=en`))).toContain(
      'Import, bad rows.xlsx',
    )
    const [heads = [], wrong = []] = await world.download(`/system/user/import-bad-rows?id=${id}&lang=en`)
    expect(heads).toEqual([...head, 'Reason'])
    expect(wrong.at(-1)).toMatch(/E-mail.*; .*Sex/)
    expect(wrong.at(-1)).not.toMatch(chinese)
    const corrected = wrong.map((cell, at) => (at === 3 ? 'two@example.com' : at === 5 ? 'Female' : cell))
    expect((await world.check(await workbook([corrected], heads))).counts).toMatchObject({ create: 1, bad: 0 })

    await world.post('/system/user/import-commit', { id, onlyGood: true })
    await world.until(id, 'DONE')
    const result = await world.download(`/system/user/import-result?id=${id}&lang=en`)
    expect(result[0]?.slice(0, 3)).toEqual(['Outcome', 'Activation code', 'User name'])
    expect(result.slice(1).map(([outcome]) => outcome)).toEqual(['Created', 'Failed'])
    const made = unscoped(world.db, 'test').selectFrom('users').select(['sex', 'enabled'])
    expect(await made.where('username', '=', 'english.one').executeTakeFirst()).toEqual({
      sex: 'FEMALE',
      enabled: false,
    })
  })
})

describe('other spreadsheets of the administration in English', () => {
  let admin: AdminServer
  beforeAll(async () => {
    const keys = { setting: new Uint8Array(32) }
    admin = await startAdminServer((db) => [
      ...dictionaries.routes({ db }),
      ...dictEntries.routes({ db }),
      ...configurations.routes({ db, keys }),
      ...logRoutes({ db }),
    ])
    const { userId, deptId } = admin.here
    await admin.all
      .insertInto('loginLog')
      .values({ type: 'KICK', username: 'eve', result: 'BAD_PASSWORD', ip: '10.1.2.3', userAgent: 'x', traceId: 't' })
      .execute()
    const origin = { ip: '127.0.0.1', userAgent: 'x', traceId: 't' }
    const actor = { userId, deptId, username: 'eve', sessionId: 1 }
    await writeAudit(admin.site.db, {
      actor,
      origin,
      action: 'system:user:update-status',
      subject: 'users',
      subjectId: 7,
    })
  })
  afterAll(() => admin.end())

  const sheet = async (path: string) => {
    const { headers, body } = await admin.site.app.inject({
      url: `/admin-api${path}`,
      headers: { authorization: `Bearer ${admin.adminToken}` },
    })
    const [head = '', ...lines] = body.replace('\uFEFF', '').trim().split('\r\n')
    return { name: decodeURIComponent(String(headers['content-disposition'])), head, line: lines[0] ?? '' }
  }

  it.each([
    ['/system/dict-type/export?type=system_user_sex', 'Dictionaries.csv', '"system_user_sex","Enabled","Sex"'],
    ['/system/dict-data/export?dictType=system_user_sex&value=1', 'Entries.csv', '"1",2,"Enabled"'],
    ['/infra/config/export?key=site.demo', 'Settings.csv', '"Demo pages","site.demo","false","Yes or no","Yes",'],
    ['/system/login-log/export?username=eve', 'Sign-ins.csv', '"Signed out by another",,"eve","Wrong password"'],
    [
      '/system/operate-log/export?userName=eve',
      'Operations.csv',
      '"Users","Enable or disable","system:user:update-status","User",7,200,"127.0.0.1","This machine"',
    ],
  ])('%s', async (path, file, cells) => {
    const english = await sheet(`${path}&format=csv&lang=en`)
    expect(english.name).toContain(file)
    expect(english.head).not.toMatch(chinese)
    expect(english.line).toContain(cells)
    const otherwise = await sheet(`${path}&format=csv`)
    expect(otherwise.head).toMatch(chinese)
    expect(otherwise.line).toMatch(chinese)
  })
})
