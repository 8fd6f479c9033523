import { z } from 'zod'
import { Id } from '../../codecs.ts'
import { endpoint } from '../../endpoint.ts'
import { ById, page } from '../../page.ts'
import {
  PackageDraft,
  PackageQuery,
  PackageRow,
  RolloutDetail,
  RolloutDeviceQuery,
  RolloutDeviceRow,
  RolloutDraft,
  RolloutQuery,
  RolloutReason,
  RolloutRef,
  RolloutRow,
} from './rollout.ts'

/**
 * Packages belong to no school. A rollout is shown to whoever sees one of its devices, and changed by whoever sees all of
 * them.
 */
const call = (verb: string) => ({ kind: 'json', permission: `device:rollout:${verb}`, scope: 'school' }) as const

const verb = <const P extends `/device/rollout/${string}`>(
  path: P,
  permission: 'approve' | 'control',
  words: readonly [zh: string, en: string],
) =>
  endpoint({
    ...call(permission),
    method: 'POST',
    path,
    summary: words[0],
    summaryEn: words[1],
    body: RolloutRef,
    data: z.literal(true),
  })

const reasonVerb = <const P extends `/device/rollout/${string}`>(path: P, words: readonly [zh: string, en: string]) =>
  endpoint({
    ...call('control'),
    method: 'POST',
    path,
    summary: words[0],
    summaryEn: words[1],
    body: RolloutReason,
    data: z.literal(true),
  })

export const rollouts = {
  packages: endpoint({
    ...call('query'),
    scope: 'none',
    method: 'GET',
    path: '/device/rollout/packages',
    summary: '升级包分页',
    summaryEn: 'Program packages, by page',
    query: PackageQuery,
    data: page(PackageRow),
  }),
  addPackage: endpoint({
    ...call('create'),
    scope: 'none',
    method: 'POST',
    path: '/device/rollout/add-package',
    summary: '登记升级包',
    summaryEn: 'Add a program package',
    body: PackageDraft,
    data: Id,
  }),
  page: endpoint({
    ...call('query'),
    method: 'GET',
    path: '/device/rollout/page',
    summary: '升级发布分页',
    summaryEn: 'Rollouts, by page',
    query: RolloutQuery,
    data: page(RolloutRow),
  }),
  get: endpoint({
    ...call('query'),
    method: 'GET',
    path: '/device/rollout/get',
    summary: '升级发布详情',
    summaryEn: 'One rollout with its progress',
    query: ById,
    data: RolloutDetail,
  }),
  devices: endpoint({
    ...call('query'),
    method: 'GET',
    path: '/device/rollout/devices',
    summary: '升级的设备分页',
    summaryEn: 'Devices of a rollout, by page',
    query: RolloutDeviceQuery,
    data: page(RolloutDeviceRow),
  }),
  create: endpoint({
    ...call('create'),
    method: 'POST',
    path: '/device/rollout/create',
    summary: '新增升级发布',
    summaryEn: 'Create a rollout',
    body: RolloutDraft,
    data: Id,
  }),
  remove: endpoint({
    ...call('create'),
    method: 'DELETE',
    path: '/device/rollout/delete',
    summary: '删除升级草稿',
    summaryEn: 'Delete the draft of a rollout',
    query: ById,
    data: z.literal(true),
  }),
  approve: verb('/device/rollout/approve', 'approve', ['批准升级', 'Approve a rollout']),
  start: verb('/device/rollout/start', 'control', ['开始升级', 'Start a rollout']),
  pause: verb('/device/rollout/pause', 'control', ['暂停升级', 'Pause a rollout']),
  resume: verb('/device/rollout/resume', 'control', ['继续升级', 'Resume a rollout']),
  abort: reasonVerb('/device/rollout/abort', ['中止升级', 'Abort a rollout']),
  rollBack: reasonVerb('/device/rollout/roll-back', ['回退升级', 'Roll a rollout back']),
}
