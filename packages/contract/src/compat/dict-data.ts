import { z } from 'zod'
import { Id, queryId, queryIds } from '../codecs.ts'
import { endpoint } from '../endpoint.ts'
import { field } from '../field.ts'
import { PageQuery, page } from '../page.ts'
import { DictDataDraft } from '../settings/dict.ts'
import { Flag } from '../settings/wire-codecs.ts'
import { DictForm, TagType } from './dict.ts'

const id = field(Id, '字典数据编号', 'Entry id')
export const DictDataForm = z.strictObject({
  id,
  dictCode: field(DictDataDraft.shape.dictType, '字典编码', 'Dictionary code'),
  label: DictDataDraft.shape.label,
  value: DictDataDraft.shape.value,
  sort: DictDataDraft.shape.sort,
  status: field(Flag, '状态', 'Status'),
  tagType: field(TagType, '标签类型', 'Tag'),
})
export type DictDataForm = z.output<typeof DictDataForm>
/** The form sends its id too; the id of the address is used. */
const DictDataFormDraft = DictDataForm.partial({ id: true, sort: true, status: true, tagType: true })
const DictDataFormEdit = DictDataForm.partial()

const params = z.strictObject({ id: field(queryId, '字典数据编号', 'Entry id') })
const keywords = field(z.string().max(100).optional(), '关键字', 'Keyword')
const dict = (verb: string) => ({ kind: 'json', permission: `system:dict:${verb}`, scope: 'none' }) as const

export const dictDatasV1 = {
  types: endpoint({
    ...dict('query'),
    method: 'GET',
    path: '/api/v1/dict/page',
    summary: '字典分页',
    summaryEn: 'Dictionaries, by page',
    query: PageQuery.extend({ keywords }),
    data: page(DictForm),
  }),
  page: endpoint({
    ...dict('query'),
    method: 'GET',
    path: '/api/v1/dict-data/page',
    summary: '字典数据分页',
    summaryEn: 'Entries, by page',
    query: PageQuery.extend({
      keywords,
      dictCode: field(z.string().max(100).optional(), '字典编码', 'Dictionary code'),
    }),
    data: page(DictDataForm),
  }),
  options: endpoint({
    ...dict('query'),
    permission: 'token',
    method: 'GET',
    path: '/api/v1/dict-data/:code/options',
    summary: '字典数据选项',
    summaryEn: 'Entries of one dictionary to choose from',
    params: z.strictObject({ code: field(z.string().max(100), '字典编码', 'Dictionary code') }),
    data: z.array(z.strictObject({ value: z.string(), label: z.string(), tagType: TagType })),
  }),
  form: endpoint({
    ...dict('query'),
    method: 'GET',
    path: '/api/v1/dict-data/:id/form',
    summary: '字典数据表单',
    summaryEn: 'One entry as a form',
    params,
    data: DictDataForm,
  }),
  create: endpoint({
    ...dict('create'),
    method: 'POST',
    path: '/api/v1/dict-data',
    summary: '新增字典数据',
    summaryEn: 'Create an entry',
    body: DictDataFormDraft,
    data: Id,
  }),
  update: endpoint({
    ...dict('update'),
    method: 'PUT',
    path: '/api/v1/dict-data/:id',
    summary: '修改字典数据',
    summaryEn: 'Change an entry',
    params,
    body: DictDataFormEdit,
    data: z.null(),
  }),
  delete: endpoint({
    ...dict('delete'),
    method: 'DELETE',
    path: '/api/v1/dict-data/:ids',
    summary: '删除字典数据',
    summaryEn: 'Delete an entry',
    params: z.strictObject({ ids: field(queryIds, '字典数据编号', 'Entry ids') }),
    data: z.null(),
  }),
}
