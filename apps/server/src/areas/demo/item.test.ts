import { codes } from '@tocsin/contract/codes'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { pageIn, errorFields } from '../../../test/admin-server.ts'
import { type DemoServer, startDemoServer } from '../../../test/demo-server.ts'

const verbs = ['query', 'create', 'update', 'delete', 'import', 'export'].map((verb) => `demo:item:${verb}`)

let demo: DemoServer
let clerk: { token: string; userId: number }
beforeAll(async () => {
  demo = await startDemoServer()
  clerk = await demo.clerk(...verbs)
})
afterAll(() => demo.close())

let made = 0
const draft = (more: object = {}) => {
  made += 1
  return { name: `示例${made}`, kind: 'GOODS', tags: ['新品'], price: 1250, progress: 40, sort: made, ...more }
}
const send = (body: object, token = clerk.token) => demo.call('POST', '/demo/item/create', body, token)
const create = async (more: object = {}, token = clerk.token) => Number((await send(draft(more), token)).data)
const get = (id: number, token = clerk.token) => demo.call('GET', `/demo/item/get?id=${id}`, undefined, token)
const update = (body: object, token = clerk.token) => demo.call('PUT', '/demo/item/update', body, token)
const remove = (id: number, token = clerk.token) => demo.call('DELETE', `/demo/item/delete?id=${id}`, undefined, token)
const names = async (query: string, token = clerk.token) =>
  pageIn(await demo.call('GET', `/demo/item/page?${query}`, undefined, token)).list.map(({ name }) => name)

describe('a demo item', () => {
  it('is created in the own department, changed, switched and deleted, each audited', async () => {
    const id = await create({
      url: 'https://example.com/a',
      icon: 'ep:bell',
      startAt: 1_700_000_000_000,
      tags: ['a', 'a'],
    })
    expect((await get(id)).data).toMatchObject({
      kind: 'GOODS',
      tags: ['a'],
      price: 1250,
      startAt: 1_700_000_000_000,
      deptId: demo.here.deptId,
      deptName: '甲部门',
      status: true,
      imageId: null,
      imageUrl: null,
      version: 1,
    })
    expect((await update({ id, version: 1, status: false, remark: '停' })).code).toBe(200)
    expect((await get(id)).data).toMatchObject({ status: false, remark: '停', icon: 'ep:bell', version: 2 })
    expect((await remove(id)).code).toBe(200)
    expect((await get(id)).code).toBe(codes.demoMissing.code)
    expect(await demo.audited('demo_item', id)).toEqual(['demo:item:create', 'demo:item:update', 'demo:item:delete'])
  })

  it('is found by each filter', async () => {
    const tag = 'unique-tag'
    const [first, second] = [`查找甲${made}`, `查找乙${made}`]
    await create({ name: first, tags: [tag, 'x'], progress: 10, startAt: 1_600_000_000_000, kind: 'EVENT' })
    const id = await create({ name: second, tags: [tag], progress: 90, sort: 0 })
    await update({ id, status: false })
    expect(await names(`tag=${tag}`)).toEqual([second, first])
    expect(await names(`tag=${tag}&least=50`)).toEqual([second])
    expect(await names(`tag=${tag}&status=true`)).toEqual([first])
    expect(await names(`tag=${tag}&kind=EVENT`)).toEqual([first])
    expect(await names(`tag=${tag}&from=1599999999000&to=1600000001000`)).toEqual([first])
    expect(await names(`name=${encodeURIComponent('查找乙')}`)).toEqual([second])
    expect(await names(`tag=${tag},x`)).toEqual([first])
    expect(await names(`tag[0]=${tag}&tag[1]=x`)).toEqual([first])
    expect(await names(`tag=uniq`)).toEqual([])
  })

  it('shows its picture to its readers, and releases it when it is removed', async () => {
    const picture = await demo.keepPicture(clerk.userId)
    const id = await create({ imageId: picture })
    expect(String((await get(id)).data['imageUrl'])).toContain(`/infra/file/${picture}?`)
    expect(await demo.used('demoItem')).toEqual([{ subjectId: id, fileId: picture }])
    await update({ id, imageId: null })
    expect(await demo.used('demoItem')).toEqual([])
    const other = await demo.keepPicture(clerk.userId, false)
    expect(errorFields(await update({ id, imageId: other }))).toEqual(['imageId'])
    const foreign = await demo.keepPicture(demo.there.userId)
    expect((await update({ id, imageId: foreign })).code).toBe(codes.fileMissing.code)
  })

  it('rejects invalid input by field', async () => {
    const bad = {
      name: ' ',
      kind: '',
      tags: Array(11).fill('x'),
      url: 'javascript:alert(1)',
      price: -1,
      progress: 101,
    }
    expect(errorFields(await send(bad)).toSorted()).toEqual(['kind', 'name', 'price', 'progress', 'tags', 'url'])
    expect(errorFields(await send(draft({ kind: 'NOBODY-KNOWS' })))).toEqual(['kind'])
    expect(errorFields(await send(draft({ version: 1 })))).toEqual(['version'])
  })

  it('is reported as missing when it is invisible', async () => {
    const id = await create({ deptId: demo.there.deptId }, demo.adminToken)
    expect((await get(id, demo.adminToken)).code).toBe(200)
    for (const answer of [await get(id), await update({ id, name: 'x' }), await remove(id)])
      expect(answer.code).toBe(codes.demoMissing.code)
    expect(await names(`deptId=${demo.there.deptId}`)).toEqual([])
    expect((await send(draft({ deptId: demo.there.deptId }))).code).toBe(codes.deptMissing.code)
    const own = await create()
    expect((await update({ id: own, deptId: demo.there.deptId })).code).toBe(codes.deptMissing.code)
  })

  it('rejects a change by a user who read an older version', async () => {
    const id = await create()
    await update({ id, version: 1, sort: 7 })
    const stale = await update({ id, version: 1, sort: 8 })
    expect(stale.code).toBe(codes.stale.code)
    expect(stale.data).toMatchObject({ current: { sort: 7, version: 2 } })
  })

  it('is deleted with others, all or none', async () => {
    const ids = [await create(), await create(), await create()]
    const away = await create({ deptId: demo.there.deptId }, demo.adminToken)
    const several = (list: number[]) =>
      demo.call('DELETE', `/demo/item/delete-list?ids=${list.join(',')}`, undefined, clerk.token)
    expect((await several([...ids, away])).code).toBe(codes.demoMissing.code)
    for (const id of ids) expect((await get(id)).code).toBe(200)
    expect((await several(ids)).code).toBe(200)
    for (const id of ids) expect((await get(id)).code).toBe(codes.demoMissing.code)
  })

  it('requires the permission of each verb', async () => {
    const id = await create()
    const { token } = await demo.clerk('demo:item:query')
    expect((await get(id, token)).code).toBe(200)
    for (const answer of [await send(draft(), token), await update({ id }, token), await remove(id, token)])
      expect(answer.code).toBe(codes.forbidden.code)
  })
})

describe('a spreadsheet of items', () => {
  const heads = '名称,类别,标签,链接,价格,进度,排序,状态,备注'
  const upload = async (text: string, token = clerk.token) => {
    const form = new FormData()
    form.append('file', new Blob([text], { type: 'text/csv' }), 'items.csv')
    const headers = { authorization: `Bearer ${token}` }
    const response = await fetch(`${demo.base}/demo/item/import`, { method: 'POST', body: form, headers })
    return (await response.json()) as {
      code: number
      data: { created: number; wrong: { line: number; field: string }[] }
    }
  }
  const fetched = async (path: string, token = clerk.token) =>
    fetch(`${demo.base}${path}`, { headers: { authorization: `Bearer ${token}` } })

  it('is imported completely, with labels of the dictionary', async () => {
    const { data } = await upload(
      `${heads}\n导入甲,商品,a b,https://example.com/,12.50,30,1,启用,备注\n导入乙,EVENT,,,,,,停用,\n`,
    )
    expect(data).toEqual({ created: 2, wrong: [] })
    const { list } = pageIn(
      await demo.call('GET', `/demo/item/page?name=${encodeURIComponent('导入')}`, undefined, clerk.token),
    )
    expect(list.find(({ name }) => name === '导入甲')).toMatchObject({
      kind: 'GOODS',
      tags: ['a', 'b'],
      price: 1250,
      progress: 30,
      status: true,
    })
    expect(list.find(({ name }) => name === '导入乙')).toMatchObject({ kind: 'EVENT', status: false, price: 0 })
  })

  it('is rejected completely when one line is wrong, naming the line', async () => {
    const { data } = await upload(
      `${heads}\n好的,商品,,,,,,,\n,商品,,,,,,,\n坏价格,商品,,,十元,,,,\n坏类别,没有,,,,,,,\n`,
    )
    expect(data.created).toBe(0)
    expect(data.wrong.map(({ line, field }) => `${line} ${field}`)).toEqual(['3 name', '4 price'])
    const second = await upload(`${heads}\n好的,商品,,,,,,,\n坏类别,没有,,,,,,,\n`)
    expect(second.data.wrong.map(({ line, field }) => `${line} ${field}`)).toEqual(['3 kind'])
    expect(await names(`name=${encodeURIComponent('好的')}`)).toEqual([])
  })

  it('is rejected when it is no spreadsheet, has no lines or lacks columns', async () => {
    expect((await upload('PK\u0003\u0004 no workbook')).code).toBe(codes.importUnreadable.code)
    expect((await upload(`${heads}\n`)).code).toBe(codes.importEmpty.code)
    expect((await upload('名称,备注\nx,y\n')).code).toBe(codes.importColumns.code)
    expect((await upload(`${heads}\n${'x,商品,,,,,,,\n'.repeat(1001)}`)).code).toBe(codes.importTooMany.code)
    const { token } = await demo.clerk('demo:item:query')
    expect((await upload(`${heads}\nx,商品,,,,,,,\n`, token)).code).toBe(codes.forbidden.code)
  })

  it('exports visible items in the format of the import', async () => {
    await create({ name: '外部', deptId: demo.there.deptId }, demo.adminToken)
    const response = await fetched(`/demo/item/export?format=csv&name=${encodeURIComponent('导入甲')}`)
    const text = await response.text()
    expect(text).toContain('"导入甲","商品","a b","https://example.com/",12.5,30,1,"启用","备注"')
    expect(await (await fetched('/demo/item/export?format=csv')).text()).not.toContain('外部')
    const template = await fetched('/demo/item/get-import-template')
    expect(decodeURIComponent(template.headers.get('content-disposition') ?? '')).toContain('示例导入模板.xlsx')
    expect((await template.arrayBuffer()).byteLength).toBeGreaterThan(1000)
  })
})
