import { auditFields, generatedColumns } from '@tocsin/contract/audit-fields'
import { entityEndpoints } from '@tocsin/contract/audit/entity'
import { Id } from '@tocsin/contract/codecs'
import { field } from '@tocsin/contract/field'
import { PageQuery, sortable } from '@tocsin/contract/page'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { type AdminServer, errorFields, startAdminServer } from '../../../../test/admin-server.ts'
import { testEntity } from '../../../../test/entity.ts'
import { createEntity } from './entity.ts'

const Item = z.strictObject({
  id: field(Id, '编号', 'Id'),
  deptId: field(Id, '部门', 'Department'),
  name: field(z.string(), '名称', 'Name'),
  kind: field(z.string(), '类型', 'Kind'),
  keeperId: field(Id.nullable(), '保管人', 'Keeper'),
  ...auditFields,
})
const ItemDraft = Item.omit(generatedColumns).extend({
  name: field(z.string().min(1).max(50), '名称', 'Name'),
  kind: field(z.string().min(1).max(100), '类型', 'Kind'),
})

/** Calls over the table of a demo page, whose department decides who sees a row; its picture stands for a person. */
const items = entityEndpoints({
  path: '/demo/item',
  permission: 'demo:item',
  scope: 'dept',
  title: '物品',
  titleEn: 'item',
  titlesEn: 'Items',
  row: Item,
  draft: ItemDraft,
  query: PageQuery.extend({
    name: field(z.string().max(50).optional(), '名称', 'Name'),
    orderBy: sortable(['name']),
  }),
  verbs: ['deleteList'],
})
const itemEntity = createEntity({
  of: items,
  table: 'demoItem',
  nameColumn: 'name',
  columns: { keeperId: 'imageId' },
  order: ['id'],
  references: { keeperId: 'users' },
})

let admin: AdminServer
beforeAll(async () => {
  admin = await startAdminServer((db) => itemEntity.routes({ db }))
})
afterAll(() => admin.end())

let made = 0
const draft = ({ deptId, userId }: AdminServer['here']) => {
  made += 1
  return { deptId, name: `物品${made}`, kind: 'A', keeperId: userId }
}

testEntity(() => admin, {
  of: items,
  subject: 'demo_item',
  draft: ({ here }) => draft(here),
  change: { name: '改', keeperId: null },
  wrong: { deptId: 999_999, keeperId: 999_999 },
  elsewhere: { draft: ({ there }) => draft(there), references: ['deptId', 'keeperId'] },
})

it('keeps an invisible reference when the edit names it unchanged, and refuses another one', async () => {
  const { here, there } = admin
  const body = { ...draft(here), keeperId: there.userId }
  const id = Number((await admin.call('POST', items.create.path, body)).data)
  const { token } = await admin.clerk(items.update.permission, items.page.permission)
  const update = (edit: object) => admin.call('PUT', items.update.path, { id, ...edit }, token)
  expect((await update({ name: '改', deptId: here.deptId, keeperId: there.userId })).code).toBe(200)
  expect(errorFields(await update({ deptId: there.deptId }))).toEqual(['deptId'])
  expect((await update({ keeperId: here.userId })).code).toBe(200)
  expect(errorFields(await update({ keeperId: there.userId }))).toEqual(['keeperId'])
  const row = await admin.call('GET', `${items.get.path}?id=${id}`, undefined, token)
  expect(row.data).toMatchObject({ name: '改', deptId: here.deptId, keeperId: here.userId, version: 3 })
})
