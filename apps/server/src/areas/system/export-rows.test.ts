import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type AdminSite, openAdmin } from '../../../test/admin-site.ts'
import { configRoutes } from './config/routes.ts'
import { dictRoutes } from './dict/routes.ts'

let admin: AdminSite
let exporter: string
beforeAll(async () => {
  const keys = { setting: new Uint8Array(32) }
  // The keys of signing in are not asked for here.
  admin = await openAdmin((db) => [...dictRoutes({ db }), ...configRoutes({ db, keys } as never)])
  exporter = (await admin.clerk('system:dict:export', 'infra:config:export')).token
})
afterAll(() => admin.end())

const download = async (path: string, token = exporter) => {
  const { headers, body } = await admin.site.app.inject({
    method: 'GET',
    url: `/admin-api${path}`,
    headers: { authorization: `Bearer ${token}` },
  })
  return { type: String(headers['content-type']), lines: body.replace('\uFEFF', '').trim().split('\r\n') }
}
const last = () =>
  admin.all.selectFrom('auditLog').select(['action', 'subject', 'after']).orderBy('id', 'desc').executeTakeFirst()

const row = (action: string, subject: string, filter: object) => ({ action, subject, after: { filter } })

describe('exports of the administration', () => {
  it('of dictionaries and entries have what the same question shows, in its order, and leave a row', async () => {
    const types = await download('/system/dict-type/export?type=system_notice')
    expect(types.type).toBe('text/csv; charset=utf-8')
    expect(types.lines[0]).toBe('"字典编号","字典名称","字典类型","状态","英文名称","备注","创建时间"')
    expect(types.lines.slice(1).map((line) => line.split(',')[2])).toEqual([
      '"system_notice_level"',
      '"system_notice_type"',
    ])
    expect(await last()).toEqual(row('system:dict:export', 'dict_type', { type: 'system_notice' }))
    const data = await download('/system/dict-data/export-excel?dictType=system_user_sex')
    expect(data.lines.slice(1).map((line) => line.split(',').slice(1, 6).join())).toEqual([
      '"system_user_sex","未知","0",1,"启用"',
      '"system_user_sex","男","1",2,"启用"',
      '"system_user_sex","女","2",3,"启用"',
    ])
    expect(await last()).toEqual(row('system:dict:export', 'dict_data', { dictType: 'system_user_sex' }))
  })

  it('are whole however many rows there are', async () => {
    await admin.all
      .insertInto('dictData')
      .values(
        Array.from({ length: 1200 }, (_, at) => ({
          dictType: 'common_status',
          label: `第${at}`,
          value: `v${at}`,
          sort: at,
        })),
      )
      .execute()
    const { lines } = await download('/system/dict-data/export?dictType=common_status')
    expect(lines).toHaveLength(1 + 1200 + 2)
    expect(new Set(lines).size).toBe(lines.length)
  })

  it('of settings tell no secret', async () => {
    await admin.call('GET', '/infra/config/page')
    const secret = await admin.all
      .selectFrom('config')
      .select('id')
      .where('key', '=', 'mail.smtp-url')
      .executeTakeFirstOrThrow()
    const value = 'smtps://user:very-secret@mail.example.cn:465'
    expect((await admin.call('PUT', '/infra/config/update', { id: secret.id, value })).code).toBe(200)
    const { lines } = await download('/infra/config/export?category=mail')
    expect(lines.join('\n')).toContain('mail.smtp-url')
    expect(lines.join('\n')).not.toContain('very-secret')
    expect(await last()).toEqual(row('infra:config:export', 'config', { category: 'mail' }))
  })

  it('need their permission', async () => {
    const { token } = await admin.clerk('system:dict:query', 'infra:config:query')
    for (const path of ['/system/dict-type/export', '/system/dict-data/export', '/infra/config/export'])
      expect((await admin.call('GET', path, undefined, token)).code).toBe(403)
  })
})
