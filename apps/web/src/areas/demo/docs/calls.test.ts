import { describe, expect, it } from 'vitest'
import { type ApiDocument, areasOf, callsOf, documentOf, matching } from './calls.ts'

const call = (summary: string, tag: string, schema?: string) => ({
  summary,
  tags: [tag],
  responses: schema ? { 200: { $ref: `#/components/responses/${schema}` } } : {},
})
const whole: ApiDocument = {
  openapi: '3.1.0',
  components: {
    securitySchemes: { bearer: {} },
    responses: { School: { schema: { $ref: '#/components/schemas/School' } } },
    schemas: {
      School: { properties: { place: { $ref: '#/components/schemas/Place' } } },
      Place: { properties: { above: { $ref: '#/components/schemas/Place' } } },
      Device: { type: 'object' },
    },
  },
  paths: {
    '/admin-user/update': { put: call('修改用户 / Update a user', 'system/user') },
    '/api/v1/users/{id}': { put: call('修改用户 / Update', 'api/v1'), delete: call('删除用户 / Delete', 'api/v1') },
    '/api/v1/dept': { get: call('部门 / Departments', 'api/v1') },
    '/system/user/login': { post: call('登录 / Sign in', 'api/v1') },
    '/school/school/get': { get: call('学校详情 / One school', 'school/school', 'School') },
    '/school/school/page': { get: call('学校分页 / Schools', 'school/school') },
  },
}
const calls = callsOf(whole)

describe('the calls of a document', () => {
  it('are grouped into areas, aliases with their call, and compatibility calls by their entity', () => {
    expect(areasOf(calls)).toEqual([
      { area: 'api/v1/dept', count: 1 },
      { area: 'api/v1/users', count: 2 },
      { area: 'school/school', count: 2 },
      { area: 'system/user', count: 2 },
    ])
  })

  it('are found by method, path and title, in both languages', () => {
    const found = (words: string) => matching(calls, words).map(({ method, path }) => `${method} ${path}`)
    expect(found('PUT  修改')).toEqual(['put /admin-user/update', 'put /api/v1/users/{id}'])
    expect(found('school/ one')).toEqual(['get /school/school/get'])
    expect(found(' ')).toEqual([])
  })

  it('are returned by area, with references resolved', () => {
    const { paths, components } = documentOf(whole, 'school/school', 'zh-cn')
    expect(Object.keys(paths)).toEqual(['/school/school/get', '/school/school/page'])
    expect(paths['/school/school/get']?.['get']?.['responses']).toEqual({
      200: { schema: { properties: { place: { properties: { above: {} } } } } },
    })
    expect(components).toEqual({ securitySchemes: { bearer: {} }, schemas: {}, responses: {} })
    expect(documentOf(whole, 'nothing', 'zh-cn').paths).toEqual({})
  })

  it('have no tuples, which the viewer cannot render', () => {
    const integer = { type: 'integer' }
    const schema = { type: 'array', prefixItems: [integer, integer], items: false, minItems: 2 }
    const get = { ...call('分页 / By page', 'school/school'), parameters: [{ name: 'createTime', schema }] }
    const { paths } = documentOf({ ...whole, paths: { '/school/school/page': { get } } }, 'school/school', 'zh-cn')
    const shown = { name: 'createTime', schema: { type: 'array', items: integer, minItems: 2 } }
    expect(paths['/school/school/page']?.['get']?.['parameters']).toEqual([shown])
  })

  it('have only the requested language', () => {
    const parameters = [
      { name: 'stage', description: 'Stage', schema: { title: '学段', description: 'Stage' } },
      { name: 'n', schema: {} },
    ]
    const body = {
      title: '学校',
      description: 'School',
      properties: { description: { title: '说明', description: 'Words' } },
    }
    const get = { ...call('学校分页 / Schools, by page', 'school/school'), parameters, requestBody: body }
    const document = { ...whole, paths: { '/school/school/page': { get } } }
    const shown = (lang: 'zh-cn' | 'en') =>
      documentOf(document, 'school/school', lang).paths['/school/school/page']?.['get']
    expect(shown('zh-cn')).toMatchObject({
      summary: '学校分页',
      parameters: [{ description: '学段', schema: { title: '学段' } }, { name: 'n' }],
      requestBody: { title: '学校', properties: { description: { title: '说明' } } },
    })
    expect(shown('en')).toMatchObject({
      summary: 'Schools, by page',
      parameters: [{ description: 'Stage', schema: { title: 'Stage' } }, { name: 'n' }],
      requestBody: { title: 'School', properties: { description: { title: 'Words' } } },
    })
    expect(JSON.stringify(shown('en'))).not.toMatch(/[\u4e00-\u9fff]/)
  })

  it('start with the searched one, and lose none', () => {
    const { paths } = documentOf(whole, 'school/school', 'zh-cn', 'get /school/school/page')
    expect(Object.keys(paths)).toEqual(['/school/school/page', '/school/school/get'])
    expect(paths['/school/school/page']?.['get']).toMatchObject({ operationId: 'get /school/school/page' })
    const users = documentOf(whole, 'api/v1/users', 'zh-cn', 'delete /api/v1/users/{id}')
    expect(Object.keys(users.paths['/api/v1/users/{id}'] ?? {})).toEqual(['delete', 'put'])
  })
})
