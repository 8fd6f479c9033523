import { z } from 'zod'
import { Id, queryId, queryIds } from '../codecs.ts'
import { endpoint } from '../endpoint.ts'
import { field } from '../field.ts'
import { colorTypes, DictTypeDraft } from '../settings/dict.ts'
import { Flag } from '../settings/wire-codecs.ts'

/** `default` has no name in this API (wire 6.4). */
export const TagType = z.enum(colorTypes).exclude(['default']).nullable()

export const DictItem = z.strictObject({
  name: z.string(),
  dictCode: z.string(),
  dictDataList: z.array(z.strictObject({ value: z.string(), label: z.string(), tagType: TagType })),
})
export type DictItem = z.output<typeof DictItem>

const id = field(Id, '字典编号', 'Dictionary id')
export const DictForm = z.strictObject({
  id,
  name: DictTypeDraft.shape.name,
  dictCode: field(DictTypeDraft.shape.type, '字典编码', 'Dictionary code'),
  status: field(Flag, '状态', 'Status'),
  remark: DictTypeDraft.shape.remark,
})
/** The form sends its id too; the id of the address is used. */
const DictFormDraft = DictForm.partial({ id: true, status: true, remark: true })
const DictFormEdit = DictForm.partial()

const params = z.strictObject({ id: field(queryId, '字典编号', 'Dictionary id') })
const dict = (verb: string) => ({ kind: 'json', permission: `system:dict:${verb}`, scope: 'none' }) as const

export const dictsV1 = {
  list: endpoint({
    ...dict('query'),
    permission: 'token',
    method: 'GET',
    path: '/api/v1/dict/list',
    summary: '全部字典',
    summaryEn: 'All dictionaries in use with their entries',
    data: z.array(DictItem),
  }),
  form: endpoint({
    ...dict('query'),
    method: 'GET',
    path: '/api/v1/dict/:id/form',
    summary: '字典表单',
    summaryEn: 'One dictionary as a form',
    params,
    data: DictForm,
  }),
  create: endpoint({
    ...dict('create'),
    method: 'POST',
    path: '/api/v1/dict',
    summary: '新增字典',
    summaryEn: 'Create a dictionary',
    body: DictFormDraft,
    data: Id,
  }),
  update: endpoint({
    ...dict('update'),
    method: 'PUT',
    path: '/api/v1/dict/:id',
    summary: '修改字典',
    summaryEn: 'Change a dictionary',
    params,
    body: DictFormEdit,
    data: z.null(),
  }),
  delete: endpoint({
    ...dict('delete'),
    method: 'DELETE',
    path: '/api/v1/dict/:ids',
    summary: '删除字典',
    summaryEn: 'Delete dictionaries without entries, all or none',
    params: z.strictObject({ ids: field(queryIds, '字典编号', 'Dictionary ids') }),
    data: z.null(),
  }),
}
