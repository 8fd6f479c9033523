import { z } from 'zod'
import { Id, queryId } from '../codecs.ts'
import { endpoint } from '../endpoint.ts'
import { field } from '../field.ts'
import { PageQuery, page } from '../page.ts'
import { ConfigDraft } from '../settings/config.ts'

const id = field(Id, '配置编号', 'Setting id')
export const ConfigForm = z.strictObject({
  id,
  configName: field(ConfigDraft.shape.name, '配置名称', 'Name'),
  configKey: field(ConfigDraft.shape.key, '配置键', 'Key'),
  configValue: field(ConfigDraft.shape.value, '配置值', 'Value'),
  remark: field(ConfigDraft.shape.remark, '描述', 'Remark'),
})
export type ConfigForm = z.output<typeof ConfigForm>

const params = z.strictObject({ id: field(queryId, '配置编号', 'Setting id') })
const config = (verb: string) => ({ kind: 'json', permission: `infra:config:${verb}`, scope: 'none' }) as const

export const configsV1 = {
  page: endpoint({
    ...config('query'),
    method: 'GET',
    path: '/api/v1/config/page',
    summary: '系统配置分页',
    summaryEn: 'Settings, by page',
    query: PageQuery.extend({ keywords: field(z.string().max(100).optional(), '关键字', 'Keyword') }),
    data: page(ConfigForm),
  }),
  form: endpoint({
    ...config('query'),
    method: 'GET',
    path: '/api/v1/config/:id/form',
    summary: '系统配置表单',
    summaryEn: 'One setting as a form',
    params,
    data: ConfigForm,
  }),
  create: endpoint({
    ...config('create'),
    method: 'POST',
    path: '/api/v1/config',
    summary: '新增系统配置',
    summaryEn: 'Create a setting',
    body: ConfigForm.partial({ id: true, remark: true }),
    data: Id,
  }),
  update: endpoint({
    ...config('update'),
    method: 'PUT',
    path: '/api/v1/config/:id',
    summary: '修改系统配置',
    summaryEn: 'Change a setting',
    params,
    body: ConfigForm.partial(),
    data: z.null(),
  }),
  delete: endpoint({
    ...config('delete'),
    method: 'DELETE',
    path: '/api/v1/config/:id',
    summary: '删除系统配置',
    summaryEn: 'Delete a setting that is not built in',
    params,
    data: z.null(),
  }),
}
