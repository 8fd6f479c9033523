import { z } from 'zod'
import { Id, queryId, queryIdsUpTo } from '../codecs.ts'
import { endpoint } from '../endpoint.ts'
import { field } from '../field.ts'
import { page } from '../page.ts'
import {
  CodegenChange,
  CodegenEdit,
  CodegenFile,
  CodegenMenu,
  CodegenQuery,
  CodegenTable,
  CodegenFullDetail,
  DbTable,
} from './codegen.ts'

const codegen = (verb: string) => ({ kind: 'json', permission: `infra:codegen:${verb}`, scope: 'none' }) as const
/** Maximum tables of one import or generation. */
export const TABLES_AT_ONCE = 20
const ByTable = z.strictObject({ tableId: field(queryId, '编号', 'Id') })

export const codegens = {
  dbTables: endpoint({
    ...codegen('create'),
    method: 'GET',
    path: '/infra/codegen/db/table/list',
    summary: '可导入的数据库表',
    summaryEn: 'Tables of the database that may be imported and are not yet',
    query: z.strictObject({
      name: field(z.string().max(63).optional(), '表名称', 'Table'),
      comment: field(z.string().max(100).optional(), '表描述', 'Comment'),
    }),
    data: z.array(DbTable),
  }),
  create: endpoint({
    ...codegen('create'),
    method: 'POST',
    path: '/infra/codegen/create-list',
    summary: '导入数据库表',
    summaryEn: 'Import tables of the database, all or none',
    body: z.strictObject({
      tableNames: field(z.array(z.string().min(1).max(63)).min(1).max(TABLES_AT_ONCE), '表名称', 'Tables'),
    }),
    data: z.array(Id),
  }),
  page: endpoint({
    ...codegen('query'),
    method: 'GET',
    path: '/infra/codegen/table/page',
    summary: '代码生成分页',
    summaryEn: 'Imported tables, by page',
    query: CodegenQuery,
    data: page(CodegenTable),
  }),
  detail: endpoint({
    ...codegen('query'),
    method: 'GET',
    path: '/infra/codegen/detail',
    summary: '代码生成配置',
    summaryEn: 'An imported table with its columns',
    query: ByTable,
    data: CodegenFullDetail,
  }),
  menus: endpoint({
    ...codegen('query'),
    method: 'GET',
    path: '/infra/codegen/menus',
    summary: '可选的上级菜单',
    summaryEn: 'Directories of the menu that an entry can go under',
    data: z.array(CodegenMenu),
  }),
  update: endpoint({
    ...codegen('update'),
    method: 'PUT',
    path: '/infra/codegen/update',
    summary: '修改代码生成配置',
    summaryEn: 'Say how the slice of an imported table shall look',
    body: CodegenEdit,
    data: z.literal(true),
  }),
  compare: endpoint({
    ...codegen('update'),
    method: 'GET',
    path: '/infra/codegen/compare',
    summary: '比较表结构',
    summaryEn: 'How the table in the database differs from what was imported',
    query: ByTable,
    data: z.array(CodegenChange),
  }),
  sync: endpoint({
    ...codegen('update'),
    method: 'PUT',
    path: '/infra/codegen/sync-from-db',
    summary: '同步表结构',
    summaryEn: 'Take the columns from the database; answers what has changed',
    query: ByTable,
    data: z.array(CodegenChange),
  }),
  preview: endpoint({
    ...codegen('preview'),
    method: 'GET',
    path: '/infra/codegen/preview',
    summary: '预览代码',
    summaryEn: 'The files of the slice',
    query: ByTable,
    data: z.array(CodegenFile),
  }),
  download: endpoint({
    ...codegen('download'),
    kind: 'file',
    method: 'GET',
    path: '/infra/codegen/download',
    summary: '下载代码',
    summaryEn: 'The files of the slices of one table or of several as a zip, to be unpacked over a checkout',
    query: z.strictObject({ tableId: field(queryIdsUpTo(TABLES_AT_ONCE), '编号', 'Ids') }),
    data: z.null(),
  }),
  delete: endpoint({
    ...codegen('delete'),
    method: 'DELETE',
    path: '/infra/codegen/delete',
    summary: '删除代码生成配置',
    summaryEn: 'Forget an imported table; the table itself stays',
    query: ByTable,
    data: z.literal(true),
  }),
}
