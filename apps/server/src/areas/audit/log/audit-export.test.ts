import { REVEAL_CONTACTS_PERMISSION } from '@tocsin/contract/school/contact'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type AdminServer, startAdminServer } from '../../../../test/admin-server.ts'
import { linesOf } from '../../../../test/job-fixture.ts'
import { writeAudit } from '../audit.ts'
import { logRoutes } from './routes.ts'
import { sealPendingRows } from './seal.ts'

let admin: AdminServer
let readers: Record<'all' | 'people' | 'schools' | 'neither', string>
beforeAll(async () => {
  admin = await startAdminServer((db) => logRoutes({ db }))
  const reader = async (...more: string[]) =>
    (await admin.clerk('system:operate-log:query', 'system:operate-log:export', ...more)).token
  readers = {
    all: admin.adminToken,
    people: await reader('system:user:reveal'),
    schools: await reader(REVEAL_CONTACTS_PERMISSION),
    neither: await reader(),
  }
})
afterAll(() => admin.end())

const act = async (subject: string, subjectId: number | undefined, state: object) => {
  const { userId, deptId } = admin.here
  const actor = { userId, deptId, username: '记录人', sessionId: 1 }
  const origin = { ip: '10.1.2.3', userAgent: '浏览器', traceId: 't' }
  await writeAudit(admin.site.db, {
    actor,
    origin,
    action: 'test:sheet:update',
    subject,
    ...(subjectId && { subjectId }),
    ...state,
  })
}

/** The rows of the export for this reader, each cell by its heading. */
const sheetFor = async (token: string, query = 'type=test:sheet') => {
  const { rawPayload } = await admin.site.app.inject({
    url: `/admin-api/system/operate-log/export?${query}&format=csv`,
    headers: { authorization: `Bearer ${token}` },
  })
  const [heads = [], ...lines] = await linesOf(rawPayload)
  return lines.map((cells) => Object.fromEntries(heads.map((head, at) => [head, cells[at] ?? ''])))
}
const detailFor = async (id: unknown, token: string) => {
  const { data } = await admin.call('GET', `/system/operate-log/get?id=${Number(id)}`, undefined, token)
  return data as unknown as Record<string, unknown>
}
const stateIn = (cell: string | undefined) => (cell ? JSON.parse(cell) : null)

describe('the operation log as a spreadsheet', () => {
  it('has the data of each detail, with the same masks, and hides changes that the detail hides', async () => {
    const { here, there } = admin
    const contact = { mobile: '13812345678', emergencyContacts: [{ phone: '13987654321' }], email: 'who@example.org' }
    await act('users', here.userId, { before: contact, after: { ...contact, remark: 'x' } })
    await act('school', undefined, { before: null, after: contact })
    await act('users', here.userId, { after: { filter: { keywords: '13812345678' }, ids: [7] } })
    await act('users', there.userId, { before: { remark: '远' }, after: { remark: '更远' } })
    await act('session', 7, { before: { userId: there.userId } })
    await act('dept', there.deptId, { before: { name: '乙部门' } })
    await act('dict_type', 1, { before: { name: '字典' } })
    const shown = new Map<string, string>()
    for (const [item, token] of Object.entries(readers)) {
      const rows = await sheetFor(token)
      expect(rows).toHaveLength(7)
      for (const row of rows) {
        const { before, after, withheld, userId, hash } = await detailFor(row['日志编号'], token)
        expect([stateIn(row['修改前']), stateIn(row['修改后'])]).toEqual([before, after])
        expect(row['不在可见范围']).toBe(withheld ? '是' : '否')
        expect([row['操作人编号'], row['校验值']]).toEqual([String(userId), hash])
      }
      shown.set(item, JSON.stringify(rows))
    }
    // Hidden values would be equal too.
    expect(shown.get('all')).toMatch(/更远.*13812345678/)
    expect(shown.get('people')).toMatch(/13812345678.*139\*\*\*\*4321/)
    expect(shown.get('schools')).toMatch(/138\*\*\*\*5678.*13987654321/)
    expect(shown.get('neither')).not.toMatch(/13812345678|13987654321|who@|远|乙部门/)
  })

  it('filters like the list, by one keyword in action, address or user, of a month at most', async () => {
    const token = admin.adminToken
    const requestLog = (call: string, query: string) => admin.call('GET', `/system/operate-log/${call}?${query}`)
    const shown = async (word: string) => {
      const keywords = `keywords=${encodeURIComponent(word)}`
      const { list } = (await requestLog('page', keywords)).data as unknown as {
        list: { id: number; action: string }[]
      }
      const rows = await sheetFor(token, keywords)
      // The previous exports are in the log by now.
      expect(rows.map((row) => Number(row['日志编号'])).filter((id) => list.every((item) => item.id !== id))).toEqual(
        [],
      )
      return list.filter(({ action }) => action === 'test:sheet:update').length
    }
    expect([await shown('sheet:upd'), await shown('记录人'), await shown('10.1.2.')]).toEqual([7, 7, 7])
    expect(await shown('nothing-like-it')).toBe(0)
    const days = 40 * 86_400_000
    const long = `keywords=x&createTime[0]=${Date.now() - days}&createTime[1]=${Date.now()}`
    for (const call of ['page', 'export'])
      expect(await requestLog(call, long)).toMatchObject({ code: 400, msg: '时间范围不能超过 31 天' })
  })

  it('contains the seal and hash of each sealed row, so that a reader can verify it', async () => {
    await sealPendingRows(admin.site.db)
    await act('dict_type', 2, { before: { name: '未封存' } })
    const [latest, ...sealed] = await sheetFor(admin.adminToken)
    expect([latest?.['封存编号'], latest?.['封存校验值']]).toEqual(['', ''])
    const seal = await admin.site.db.selectFrom('seal').select(['seq', 'hash']).executeTakeFirstOrThrow()
    expect(sealed).toHaveLength(7)
    for (const row of sealed) {
      expect([row['封存编号'], row['封存校验值']]).toEqual([String(seal.seq), seal.hash.toString('hex')])
      expect(await detailFor(row['日志编号'], admin.adminToken)).toMatchObject({ seal: seal.seq, sealState: 'SEALED' })
    }
  })
})
