import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeUser } from '../../../../seed/fixtures.ts'
import { type AdminFixture, openAdminFixture, password } from '../../../../test/admin-fixture.ts'

let fixture: AdminFixture
beforeAll(async () => {
  fixture = await openAdminFixture()
})
afterAll(() => fixture.close())

const holder = (username: string, postIds: number[]) =>
  makeUser(fixture.db, { username, password, deptId: fixture.eastSchool.deptId, postIds })
const edit = (id: number, more: object) => fixture.put('/system/user/update', { id, ...more })
const held = async (id: number) => (await fixture.user(id)).postIds
const refused = { code: 400, data: { errors: [{ field: 'postIds', rule: 'choice', message: '岗位不是可选的值' }] } }

const offer = (value: string, enabled: boolean) =>
  fixture.db
    .updateTable('dictData')
    .set({ enabled })
    .where('dictType', '=', 'employee_post')
    .where('value', '=', value)
    .execute()

describe('the posts of a user', () => {
  it('are stored with a new user once and sorted, and are audited', async () => {
    const body = { username: 'posted', nickname: '岗', password, deptId: fixture.eastSchool.deptId, postIds: [4, 2, 4] }
    const id = Number((await fixture.post('/system/user/create', body)).data)
    expect((await fixture.get(`/system/user/get?id=${id}`)).data).toMatchObject({ postIds: [2, 4] })
    const page = await fixture.get('/system/user/page?username=posted')
    expect(page.data).toMatchObject({ list: [{ id, postIds: [2, 4] }] })
    expect((await fixture.audits('users', id))[0]).toMatchObject({ before: null, after: { postIds: [2, 4] } })
  })

  it('are stored with a school account too', async () => {
    const body = { username: 'posted.school', nickname: '校', password, schoolId: fixture.eastSchool.id, postIds: [3] }
    const { data } = await fixture.post('/bully/merchant-user/create', body)
    expect(await held(Number(data))).toEqual([3])
    const page = await fixture.get('/bully/merchant-user/page?username=posted.school')
    expect(page.data).toMatchObject({ list: [{ postIds: [3] }] })
    const bad = await fixture.post('/bully/merchant-user/create', { ...body, username: 'posted.bad', postIds: [99] })
    expect(bad).toMatchObject(refused)
  })

  it('stay when an edit omits them in either API, and are removed by null or an empty list', async () => {
    const { id } = await holder('staying', [1, 3])
    expect((await edit(id, { remark: '值班' })).code).toBe(200)
    expect((await fixture.put(`/api/v1/users/${id}`, { nickname: '留' })).code).toBe(200)
    expect(await held(id)).toEqual([1, 3])
    expect((await edit(id, { postIds: null })).code).toBe(200)
    expect(await held(id)).toEqual([])
    expect((await fixture.audits('users', id)).at(-1)).toMatchObject({
      before: { postIds: [1, 3] },
      after: { postIds: [] },
    })
    await edit(id, { postIds: [5] })
    await edit(id, { postIds: [] })
    expect(await held(id)).toEqual([])
  })

  it('are rejected by field when the dictionary does not have them, without any other change', async () => {
    const { id } = await holder('refusing', [1])
    expect(await edit(id, { postIds: [1, 99], remark: '不写' })).toMatchObject(refused)
    const draft = { username: 'unposted', nickname: '无', password, postIds: [99] }
    expect(await fixture.post('/system/user/create', draft)).toMatchObject(refused)
    expect((await fixture.get('/system/user/page?username=unposted')).data).toMatchObject({ total: 0 })
    expect(await fixture.user(id)).toMatchObject({ postIds: [1], remark: null })
    const wrong = [[0], [1.5], ['1'], [3_000_000_000], [null], 1, Array.from({ length: 11 }, (_, at) => at + 1)]
    for (const postIds of wrong)
      expect((await edit(id, { postIds })).data, JSON.stringify(postIds)).toMatchObject({
        errors: [{ field: expect.stringMatching(/^postIds/) }],
      })
  })

  it('stay when they are disabled, until they are removed', async () => {
    const { id } = await holder('keeping', [7])
    const other = await holder('other', [])
    await offer('7', false)
    expect((await edit(id, { postIds: [7, 1] })).code).toBe(200)
    expect(await held(id)).toEqual([1, 7])
    expect(await edit(other.id, { postIds: [7] })).toMatchObject(refused)
    expect((await edit(id, { postIds: [1] })).code).toBe(200)
    expect(await edit(id, { postIds: [7, 1] })).toMatchObject(refused)
    await offer('7', true)
  })

  it('have a name in the profile, or their number when the entry was deleted', async () => {
    await holder('nameless', [8, 77])
    const { data } = await fixture.get('/profile/get', await fixture.signedIn('nameless'))
    expect(data).toMatchObject({
      posts: [
        { id: 8, name: '设备维护' },
        { id: 77, name: '77' },
      ],
    })
  })

  it('are limited to ten non-null values by the database too', async () => {
    for (const postIds of [Array.from({ length: 11 }, (_, at) => at + 1), [1, null as unknown as number]])
      await expect(holder('limited', postIds)).rejects.toThrow('users_post_ids_check')
  })
})
