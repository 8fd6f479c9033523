import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type AdminServer, startAdminServer } from '../../../../test/admin-server.ts'
import { invalidateSettings } from '#settings/settings-cache'
import { deleteOldLogins } from './login-log.ts'

let admin: AdminServer
beforeAll(async () => {
  admin = await startAdminServer(() => [])
})
afterAll(() => admin.end())

const ago = (days: number) => new Date(Date.now() - days * 86_400_000)
const noteLogin = (username: string, more: object = {}) =>
  admin.all
    .insertInto('loginLog')
    .values({ type: 'LOGIN', username, result: 'SUCCESS', ip: '10.1.2.3', userAgent: '浏览器', traceId: 't', ...more })
    .execute()

describe('the log of sign-ins', () => {
  it('deletes rows older than configured', async () => {
    await noteLogin('old', { at: ago(400) })
    await noteLogin('old', { at: ago(100) })
    const keep = (value: string) =>
      admin.site.db.updateTable('config').set({ value }).where('key', '=', 'log.login-days').execute()
    await deleteOldLogins(admin.site.db, console)
    const left = () => admin.all.selectFrom('loginLog').select('id').where('username', '=', 'old').execute()
    expect(await left()).toHaveLength(2)
    await keep('180')
    invalidateSettings()
    await deleteOldLogins(admin.site.db, console)
    expect(await left()).toHaveLength(1)
    const items: string[] = []
    await noteLogin('old', { at: ago(400) })
    await keep('six months')
    invalidateSettings()
    await deleteOldLogins(admin.site.db, { warn: (text) => void items.push(text) })
    expect(await left()).toHaveLength(2)
    expect(items).toEqual([expect.stringContaining('log.login-days is not a number of days')])
    await keep('180')
    invalidateSettings()
    await deleteOldLogins(admin.site.db, console)
    expect(await left()).toHaveLength(1)
    // A shorter setting written past the form still keeps the legal minimum.
    await noteLogin('old', { at: ago(170) })
    await keep('1')
    invalidateSettings()
    await deleteOldLogins(admin.site.db, console)
    expect(await left()).toHaveLength(2)
  })

  it('can only be appended to, and only the retention removes old rows', async () => {
    const { db } = admin.site
    for (const table of ['login_log', 'login_log_rest']) {
      await expect(sql`update ${sql.table(table)} set username = 'x'`.execute(db)).rejects.toThrow('permission denied')
      await expect(sql`delete from ${sql.table(table)}`.execute(db)).rejects.toThrow('permission denied')
    }
    await noteLogin('young', { at: ago(179) })
    for (const days of [179, 0, -200, null])
      await expect(sql`select age_logins(${days}, 100)`.execute(db)).rejects.toThrow('180 days')
    const read = new pg.Pool({ ...admin.database.read, max: 1 })
    await expect(read.query('select age_logins(365, 100)')).rejects.toThrow('permission denied')
    await read.end()
    const left = admin.all.selectFrom('loginLog').select('id').where('username', '=', 'young')
    expect(await left.execute()).toHaveLength(1)
  })
})
