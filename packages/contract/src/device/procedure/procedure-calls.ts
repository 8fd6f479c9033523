import { z } from 'zod'
import { Id } from '../../codecs.ts'
import { endpoint } from '../../endpoint.ts'
import { field } from '../../field.ts'
import { ById, page } from '../../page.ts'
import {
  BuiltInProcedure,
  ProcedureCoverage,
  ProcedureDetail,
  ProcedureDraft,
  ProcedureQuery,
  ProcedureRef,
  ProcedureRow,
} from './procedure.ts'
import { PROCEDURE_RUN } from './procedure-machine.ts'
import { RunDetail, RunFinish, RunQuery, RunReason, RunRow, RunStart, RunStepDraft, WorkChoice } from './run.ts'

/** Procedures are rules for everybody: they belong to no school. */
const call = (verb: string) => ({ kind: 'json', permission: `device:procedure:${verb}`, scope: 'none' }) as const

export const procedures = {
  page: endpoint({
    ...call('query'),
    method: 'GET',
    path: '/device/procedure/page',
    summary: '规程分页',
    summaryEn: 'Procedures, by page',
    query: ProcedureQuery,
    data: page(ProcedureRow),
  }),
  get: endpoint({
    ...call('query'),
    method: 'GET',
    path: '/device/procedure/get',
    summary: '规程详情与各版本',
    summaryEn: 'One procedure with its versions',
    query: ById,
    data: ProcedureDetail,
  }),
  coverage: endpoint({
    ...call('query'),
    method: 'GET',
    path: '/device/procedure/coverage',
    summary: '响应预案覆盖情况',
    summaryEn: 'Classes and levels with a response plan in force',
    data: ProcedureCoverage,
  }),
  builtIn: endpoint({
    ...call('query'),
    method: 'GET',
    path: '/device/procedure/built-in',
    summary: '内置规程',
    summaryEn: 'Built-in procedures to copy',
    data: z.array(BuiltInProcedure),
  }),
  create: endpoint({
    ...call('create'),
    method: 'POST',
    path: '/device/procedure/create',
    summary: '新增规程',
    summaryEn: 'Create a procedure',
    body: ProcedureDraft,
    data: Id,
  }),
  copy: endpoint({
    ...call('create'),
    method: 'POST',
    path: '/device/procedure/copy',
    summary: '从内置规程复制',
    summaryEn: 'Copy a built-in procedure',
    body: BuiltInProcedure.pick({ key: true }).extend({
      publish: field(z.boolean().optional(), '立即发布', 'Publish at once'),
    }),
    data: Id,
  }),
  update: endpoint({
    ...call('update'),
    method: 'PUT',
    path: '/device/procedure/update',
    summary: '修改规程草稿',
    summaryEn: 'Change the draft of a procedure',
    body: ProcedureDraft.omit({ kind: true })
      .partial()
      .extend({ id: field(Id, '编号', 'Id'), version: field(z.int(), '版本', 'Version') }),
    data: z.literal(true),
  }),
  publish: endpoint({
    ...call('publish'),
    method: 'POST',
    path: '/device/procedure/publish',
    summary: '发布规程',
    summaryEn: 'Publish the draft as a new version',
    body: ProcedureRef,
    data: z.literal(true),
  }),
  retire: endpoint({
    ...call('publish'),
    method: 'POST',
    path: '/device/procedure/retire',
    summary: '停用规程',
    summaryEn: 'Retire a procedure',
    body: ProcedureRef,
    data: z.literal(true),
  }),
  remove: endpoint({
    ...call('update'),
    method: 'DELETE',
    path: '/device/procedure/delete',
    summary: '删除从未发布的规程',
    summaryEn: 'Delete a procedure that was never published',
    query: ById,
    data: z.literal(true),
  }),
}

const work = { kind: 'json', permission: PROCEDURE_RUN, scope: 'school' } as const

export const procedureRuns = {
  page: endpoint({
    ...work,
    permission: 'device:procedure:query',
    method: 'GET',
    path: '/device/procedure-run/page',
    summary: '规程执行记录分页',
    summaryEn: 'Runs of procedures, by page',
    query: RunQuery,
    data: page(RunRow),
  }),
  get: endpoint({
    ...work,
    method: 'GET',
    path: '/device/procedure-run/get',
    summary: '作业执行详情',
    summaryEn: 'One run of a work procedure',
    query: ById,
    data: RunDetail,
  }),
  choices: endpoint({
    ...work,
    scope: 'none',
    method: 'GET',
    path: '/device/procedure-run/choices',
    summary: '可执行的作业规程',
    summaryEn: 'Work procedures in force',
    data: z.array(WorkChoice),
  }),
  start: endpoint({
    ...work,
    method: 'POST',
    path: '/device/procedure-run/start',
    summary: '开始执行作业规程',
    summaryEn: 'Start a work procedure at a device',
    body: RunStart,
    data: Id,
  }),
  step: endpoint({
    ...work,
    method: 'POST',
    path: '/device/procedure-run/step',
    summary: '完成一步',
    summaryEn: 'Complete one step',
    body: RunStepDraft,
    data: RunDetail,
  }),
  finish: endpoint({
    ...work,
    method: 'POST',
    path: '/device/procedure-run/finish',
    summary: '完成作业',
    summaryEn: 'Finish a run',
    body: RunFinish,
    data: z.literal(true),
  }),
  fail: endpoint({
    ...work,
    method: 'POST',
    path: '/device/procedure-run/fail',
    summary: '作业未通过',
    summaryEn: 'End a run as failed',
    body: RunReason,
    data: z.literal(true),
  }),
  abort: endpoint({
    ...work,
    method: 'POST',
    path: '/device/procedure-run/abort',
    summary: '中止作业',
    summaryEn: 'Abort a run',
    body: RunReason,
    data: z.literal(true),
  }),
}
