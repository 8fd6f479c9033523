import { codes } from '@tocsin/contract/codes'
import { dictDatas, dictTypes } from '@tocsin/contract/settings/dict'
import { DataScope, RoleType, Sex, Status, UserType } from '@tocsin/contract/settings/wire-codecs'
import { MenuKind } from '@tocsin/contract/access/rights/menu'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type AdminServer, startAdminServer, pageIn, errorFields } from '../../../../test/admin-server.ts'
import { seedSystem } from '#areas/access/seed/seed'
import { testEntity } from '../../../../test/entity.ts'
import { dictEntries, dictionaries } from './routes.ts'

let admin: AdminServer
beforeAll(async () => {
  admin = await startAdminServer((db) => [...dictionaries.routes({ db }), ...dictEntries.routes({ db })])
})
afterAll(() => admin.end())

let made = 0
const typeDraft = (more: object = {}) => {
  made += 1
  return { name: `字典${made}`, type: `words_${made}`, status: 0, ...more }
}
const createType = async (more: object = {}) => {
  const draft = typeDraft(more)
  const { data } = await admin.call('POST', '/system/dict-type/create', draft)
  return { ...draft, id: Number(data) }
}
const entry = (dictType: string, more: object = {}) => ({
  dictType,
  label: '一',
  value: '1',
  sort: 1,
  status: 0,
  ...more,
})
const createEntry = async (dictType: string, more: object = {}) =>
  Number((await admin.call('POST', '/system/dict-data/create', entry(dictType, more))).data)
const typeRow = async (id: number) => (await admin.call('GET', `/system/dict-type/get?id=${id}`)).data
const dataRow = async (id: number) => (await admin.call('GET', `/system/dict-data/get?id=${id}`)).data
const listed = async (dictType: string) => {
  const { data } = await admin.call('GET', '/system/dict-data/simple-list')
  return (data as unknown as { dictType: string; value: string }[]).filter((item) => item.dictType === dictType)
}

testEntity(() => admin, {
  of: dictTypes,
  subject: 'dict_type',
  event: 'dict.changed',
  missing: codes.dictTypeMissing,
  draft: () => typeDraft({ nameEn: `Words ${made}`, remark: '备注' }),
  change: { name: '新名', nameEn: null, status: 1 },
  wrong: { name: ' ', nameEn: ' ', type: '1 bad', status: 2 },
})

describe('dictionaries', () => {
  it('are found by parts of both names, status and the keyword of the compatibility API', async () => {
    const { id, type } = await createType({ name: '找得到 100%', nameEn: 'Findable', status: 1 })
    const find = async (query: string) => pageIn(await admin.call('GET', `/system/dict-type/page?${query}`))
    expect(await find(`name=${encodeURIComponent('0%')}&type=${type}&status=1`)).toMatchObject({
      list: [{ id }],
      total: 1,
    })
    expect(await find('name=findable')).toMatchObject({ list: [{ id }], total: 1 })
    for (const keyword of ['得到', 'findab', type]) {
      const { data } = await admin.call('GET', `/api/v1/dict/page?keywords=${encodeURIComponent(keyword)}`)
      expect(data).toMatchObject({ list: [{ id, dictCode: type }], total: 1 })
    }
    expect((await find(`type=${type}&status=0`)).total).toBe(0)
    const options = await admin.call('GET', '/system/dict-type/simple-list')
    expect(JSON.stringify(options.data)).not.toContain(type)
  })

  it('reject a duplicate name or type, and a changed type', async () => {
    const item = await createType()
    const code = async (method: 'POST' | 'PUT', path: string, body: object) =>
      (await admin.call(method, `/system/dict-type/${path}`, body)).code
    expect(await code('POST', 'create', typeDraft({ name: item.name }))).toBe(codes.dictTypeName.code)
    expect(await code('POST', 'create', typeDraft({ type: item.type }))).toBe(codes.dictTypeType.code)
    expect(await code('PUT', 'update', { id: item.id, type: 'other' })).toBe(codes.dictTypeFixed.code)
  })

  it('cannot be deleted while they have entries', async () => {
    const { id, type } = await createType()
    const dataId = await createEntry(type)
    const remove = () => admin.call('DELETE', `/system/dict-type/delete?id=${id}`)
    expect((await remove()).code).toBe(codes.dictTypeEntries.code)
    expect((await admin.call('DELETE', `/system/dict-data/delete?id=${dataId}`)).code).toBe(200)
    expect((await remove()).code).toBe(200)
  })
})

let values = 0
let filled: ReturnType<typeof createType> | undefined
testEntity(() => admin, {
  of: dictDatas,
  subject: 'dict_data',
  event: 'dict.changed',
  missing: codes.dictDataMissing,
  draft: async () => {
    values += 1
    const { type } = await (filled ??= createType())
    const value = `value ${values}`
    const more = { labelEn: `One ${values}`, colorType: 'danger', cssClass: '#aabbcc', remark: '备注' }
    return entry(type, { value, label: `标签${values}`, ...more })
  },
  change: { label: '甲', colorType: null, status: 1 },
  wrong: { label: '', sort: -1, colorType: 'red', cssClass: 'a;background:url(x)' },
  filters: ['dictType', 'label', 'value'],
})

describe('entries', () => {
  it('are changed by POST and by PUT', async () => {
    const { type } = await createType()
    const id = await createEntry(type)
    await admin.call('POST', '/system/dict-data/update', { id, version: 1, label: '甲', labelEn: 'One' })
    await admin.call('PUT', '/system/dict-data/update', { id, version: 2, colorType: null })
    expect(await dataRow(id)).toMatchObject({ label: '甲', labelEn: 'One', colorType: null, version: 3 })
  })

  it('of the posts have a numeric value that a form accepts', async () => {
    const update = (edit: object) => admin.call('PUT', '/system/dict-data/update', edit)
    for (const value of ['head', '09', '1.5', '1234567890'])
      expect(
        errorFields(await admin.call('POST', '/system/dict-data/create', entry('employee_post', { value }))),
      ).toEqual(['value'])
    const id = await createEntry('employee_post', { value: '21' })
    expect(errorFields(await update({ id, value: 'head' }))).toEqual(['value'])
    expect((await update({ id, value: '22', label: '辅导员' })).code).toBe(200)
  })

  it('are offered in their order while they and their dictionary are enabled', async () => {
    const { id, type } = await createType()
    await createEntry(type, { value: 'b', sort: 2 })
    await createEntry(type, { value: 'a', sort: 1 })
    await createEntry(type, { value: 'off', status: 1 })
    expect(await listed(type)).toEqual([
      { dictType: type, value: 'a', label: '一', labelEn: null, colorType: null, cssClass: null },
      { dictType: type, value: 'b', label: '一', labelEn: null, colorType: null, cssClass: null },
    ])
    const find = async (query: string) =>
      pageIn(await admin.call('GET', `/system/dict-data/page?dictType=${type}&${query}`))
    expect(await find('label=一&status=1')).toMatchObject({ list: [{ value: 'off' }], total: 1 })
    expect(await find('value=OF')).toMatchObject({ list: [{ value: 'off' }], total: 1 })
    for (const [keyword, total] of [
      ['off', 1],
      ['一', 3],
    ] as const) {
      const query = `dictCode=${type}&keywords=${encodeURIComponent(keyword)}`
      expect((await admin.call('GET', `/api/v1/dict-data/page?${query}`)).data).toMatchObject({ total })
    }
    await admin.call('PUT', '/system/dict-type/update', { id, status: 1 })
    expect(await listed(type)).toEqual([])
  })

  it('reject a duplicate value, an unknown or disabled dictionary, and a changed one', async () => {
    const { type } = await createType()
    const off = await createType({ status: 1 })
    const id = await createEntry(type)
    const create = async (body: object) => (await admin.call('POST', '/system/dict-data/create', body)).code
    expect(await create(entry(type))).toBe(codes.dictDataValue.code)
    expect(await create(entry('nowhere'))).toBe(codes.dictTypeMissing.code)
    expect(await create(entry(off.type))).toBe(codes.dictTypeDisabled.code)
    const update = (body: object) => admin.call('POST', '/system/dict-data/update', body)
    expect((await update({ id, dictType: off.type })).code).toBe(codes.dictTypeFixed.code)
  })

  it('are changed without a deadlock while their dictionary is deleted concurrently', async () => {
    const { id: typeId, type } = await createType()
    const id = await createEntry(type)
    const rounds = Array.from({ length: 12 }, (_, i) => [
      admin.call('POST', '/system/dict-data/update', { id, label: `第${i}` }),
      admin.call('DELETE', `/system/dict-type/delete?id=${typeId}`),
    ]).flat()
    const answers = (await Promise.all(rounds)).map(({ code }) => code)
    expect(new Set(answers)).toEqual(new Set([200, codes.dictTypeEntries.code]))
  })
})

describe('the compatibility API', () => {
  it('lists dictionaries with their entries, default colours without a name', async () => {
    const { type, name } = await createType()
    await createEntry(type, { value: 'x', colorType: 'default', sort: 1 })
    await createEntry(type, { value: 'y', colorType: 'info', sort: 2 })
    const { data } = await admin.call('GET', '/api/v1/dict/list')
    expect((data as unknown as { dictCode: string }[]).find(({ dictCode }) => dictCode === type)).toEqual({
      name,
      dictCode: type,
      dictDataList: [
        { value: 'x', label: '一', tagType: null },
        { value: 'y', label: '一', tagType: 'info' },
      ],
    })
  })

  it('lists seeded dictionaries by its own names too, unless a dictionary has the name', async () => {
    const codesOf = async () =>
      ((await admin.call('GET', '/api/v1/dict/list')).data as unknown as { dictCode: string; dictDataList: object[] }[])
        .filter(({ dictCode }) => ['gender', 'notice_type', 'notice_level'].includes(dictCode))
        .map(({ dictCode, dictDataList }) => [dictCode, dictDataList.length])
    expect(await codesOf()).toEqual([
      ['gender', 3],
      ['notice_type', 6],
      ['notice_level', 3],
    ])
    await admin.call('POST', '/api/v1/dict', { name: '性别', dictCode: 'gender', status: 1 })
    await createEntry('gender', { value: '1' })
    expect(await codesOf()).toContainEqual(['gender', 1])
    expect((await admin.call('GET', '/api/v1/dict-data/notice_level/options')).data).toHaveLength(3)
  })

  it('creates, returns, changes and deletes the same dictionaries, with inverted status', async () => {
    const { data } = await admin.call('POST', '/api/v1/dict', { name: '另一种', dictCode: 'other_words', status: 1 })
    const id = Number(data)
    expect((await admin.call('GET', `/api/v1/dict/${id}/form`)).data).toEqual({
      id,
      name: '另一种',
      dictCode: 'other_words',
      status: 1,
      remark: null,
    })
    expect(await typeRow(id)).toMatchObject({ status: 0, type: 'other_words' })
    expect((await admin.call('PUT', `/api/v1/dict/${id}`, { id, name: '另一名', status: 0 })).code).toBe(200)
    expect(await typeRow(id)).toMatchObject({ status: 1, name: '另一名' })
    const second = await createType()
    expect((await admin.call('DELETE', `/api/v1/dict/${id},999999`)).code).toBe(codes.dictTypeMissing.code)
    expect(await typeRow(id)).toMatchObject({ id })
    expect((await admin.call('DELETE', `/api/v1/dict/${id},${second.id}`)).code).toBe(200)
    expect((await admin.call('GET', `/api/v1/dict/${id}/form`)).code).toBe(codes.dictTypeMissing.code)
  })

  it('deletes several, all or none, like the canonical calls', async () => {
    const made = async (type: string) =>
      Number((await admin.call('POST', '/system/dict-type/create', { name: type, type, status: 0 })).data)
    const [first, second] = [await made('several_one'), await made('several_two')]
    const entry = async (value: string) => {
      const body = { dictType: 'several_one', label: value, value, sort: 1, status: 0 }
      return Number((await admin.call('POST', '/system/dict-data/create', body)).data)
    }
    const entries = [await entry('a'), await entry('b'), await entry('c')]
    const types = `/system/dict-type/delete-list?ids=${first},${second}`
    expect(await admin.call('DELETE', types)).toMatchObject({
      code: codes.dictTypeEntries.code,
      msg: '【several_one】无法删除，该字典类型还有字典数据',
    })
    expect((await admin.call('GET', `/system/dict-type/get?id=${second}`)).code).toBe(200)
    const some = entries.slice(0, 2).join()
    expect((await admin.call('DELETE', `/system/dict-data/delete-list?ids=${some},999999`)).code).toBe(
      codes.dictDataMissing.code,
    )
    expect((await admin.call('DELETE', `/system/dict-data/delete-list?ids=${some}`)).code).toBe(200)
    expect((await admin.call('DELETE', `/api/v1/dict-data/${entries[2]}`)).code).toBe(200)
    expect((await admin.call('DELETE', types)).code).toBe(200)
    expect(errorFields(await admin.call('DELETE', '/system/dict-type/delete-list'))).toEqual(['ids'])
  })

  it('names a wrong id in the address', async () => {
    expect(errorFields(await admin.call('DELETE', '/api/v1/dict/1;2'))).toEqual(['ids'])
    expect(errorFields(await admin.call('GET', '/api/v1/dict/x/form'))).toEqual(['id'])
  })
})

describe('permissions', () => {
  it.each([
    ['GET', '/api/v1/dict/1/form'],
    ['POST', '/api/v1/dict'],
    ['PUT', '/api/v1/dict/1'],
    ['DELETE', '/api/v1/dict/1'],
  ] as const)('%s %s is refused without its permission', async (method, path) => {
    expect((await admin.call(method, path, undefined, (await reader()).token)).code).toBe(403)
  })

  it('are not needed for reading labels, but a sign-in is', async () => {
    const { token } = await reader()
    for (const path of ['/system/dict-data/simple-list', '/system/dict-type/simple-list', '/api/v1/dict/list']) {
      expect((await admin.call('GET', path, undefined, token)).code).toBe(200)
      expect((await admin.site.call('GET', path)).code).toBe(401)
    }
  })
})

let item: Promise<{ token: string }> | undefined
const reader = () => (item ??= admin.clerk())

describe('the seed', () => {
  it.each([
    ['common_status', Status],
    ['user_type', UserType],
    ['system_user_sex', Sex],
    ['system_menu_type', MenuKind],
    ['system_role_type', RoleType],
    ['system_data_scope', DataScope],
    ['infra_config_type', RoleType],
  ] as const)('has in %s every number of the wire, with a word (wire 6.1)', async (type, numbers) => {
    const taken = Array.from({ length: 10 }, (_, at) => at).filter((number) => numbers.safeParse(number).success)
    expect((await listed(type)).map(({ value }) => Number(value)).toSorted()).toEqual(taken)
  })

  it('seeds entries once: an emptied dictionary stays empty', async () => {
    expect((await listed('system_user_sex')).map(({ value }) => value)).toEqual(['0', '1', '2'])
    await admin.site.db.deleteFrom('dictData').where('dictType', '=', 'system_user_sex').execute()
    await seedSystem(admin.site.db)
    expect(await listed('system_user_sex')).toEqual([])
  })

  it('adds a new dictionary with its entries to an older database', async () => {
    const posts = await listed('employee_post')
    for (const table of ['dictData', 'dictType'] as const)
      await admin.site.db
        .deleteFrom(table)
        .where(table === 'dictData' ? 'dictType' : 'type', '=', 'employee_post')
        .execute()
    await admin.site.db.deleteFrom('seeded').where('key', '=', 'dict/employee_post').execute()
    await seedSystem(admin.site.db)
    expect(posts.map(({ value }) => value)).toEqual(expect.arrayContaining(['1', '8']))
    expect((await listed('employee_post')).map(({ value }) => value)).toEqual(['1', '2', '3', '4', '5', '6', '7', '8'])
  })
})
