import { z } from 'zod'
import { recordStates } from '../alarm/state-machine.ts'
import { warnClasses } from '../alarm/rule.ts'
import { auditFields } from '../audit-fields.ts'
import { Id, Millis } from '../codecs.ts'
import { endpoint } from '../endpoint.ts'
import { field } from '../field.ts'
import { PageQuery, page, sortable } from '../page.ts'
import { keywordText, nameText } from '../text-fields.ts'
import { HomeDuty, HomeResponse } from './home.ts'
import { MapBase, MapUnit, mapLayers } from './map.ts'
import { wallLinkStates } from './wall-labels.ts'

/** How often a wall asks for its board, and after how long without an answer it says that it is not live. */
export const WALL_EVERY_MS = 5_000
export const WALL_STALE_MS = 15_000
/** A wall that follows a desk asks more often. */
export const WALL_FOLLOW_EVERY_MS = 2_000
/** How often a desk says again what it shows to walls, and after how long without it they stop following. */
export const WALL_RENEW_MS = 20_000
export const WALL_FOLLOW_SEC = 60
export const MAX_WALL_DAYS = 366
/** Alarms in the queue of a wall; the total is exact. */
export const MAX_WALL_ALARMS = 30
export const MAX_WALL_SCHOOLS = 6

const name = field(nameText(64), '名称', 'Name')
const deptId = field(Id, '部门', 'Department')

/** A link to the wall. It shows what its creator sees at the moment, within its department. */
export const WallLink = z.strictObject({
  id: Id,
  name,
  deptId,
  expiresAt: field(Millis, '到期时间', 'Expires'),
  revokedAt: field(Millis.nullable(), '撤销时间', 'Revoked'),
  ...auditFields,
})

export const WallLinkRow = WallLink.omit({ creator: true, updater: true, updateTime: true }).extend({
  state: field(z.enum(wallLinkStates), '状态', 'State'),
  deptName: field(z.string(), '部门', 'Department'),
  creatorName: field(z.string(), '创建人', 'Creator'),
  lastUsedAt: field(Millis.nullable(), '最近使用', 'Last used'),
})
export type WallLinkRow = z.output<typeof WallLinkRow>

export const WallLinkDraft = z.strictObject({
  name,
  deptId,
  days: field(z.int().min(1).max(MAX_WALL_DAYS), '有效天数', 'Valid for days'),
})
export type WallLinkDraft = z.output<typeof WallLinkDraft>

/** The token is readable in this answer only. */
export const WallLinkCreated = z.strictObject({ id: Id, token: z.string() })
export type WallLinkCreated = z.output<typeof WallLinkCreated>

export const WallLinkQuery = PageQuery.extend({
  keyword: field(keywordText(64).optional(), '名称', 'Name'),
  state: field(z.enum(wallLinkStates).optional(), '状态', 'State'),
  orderBy: sortable(['name', 'expiresAt', 'createTime']),
})
export type WallLinkQuery = z.output<typeof WallLinkQuery>

const WallAlarm = z.strictObject({
  id: Id,
  level: z.int(),
  class: z.enum(warnClasses),
  mode: z.enum(['LIVE', 'TEST', 'DRILL']),
  state: z.enum(recordStates),
  schoolName: z.string().nullable(),
  placePath: z.string().nullable(),
  firstAt: Millis,
})
export type WallAlarm = z.output<typeof WallAlarm>

/** A school with a position, its readiness when it may be read, and the level of its worst open alarm. */
const WallSchool = z.strictObject({
  id: Id,
  name: z.string(),
  lng: z.number(),
  lat: z.number(),
  readiness: z.int().nullable(),
  alarm: z.strictObject({ level: z.int(), isClaimed: z.boolean() }).nullable(),
})
export type WallSchool = z.output<typeof WallSchool>

/** A unit on duty with a position. Its name is left out, because it may be that of a person. */
const WallUnit = MapUnit.omit({ name: true })
export type WallUnit = z.output<typeof WallUnit>

/**
 * What a wall shows: numbers, schools and places, and nothing about a person. A part that the creator of the link may
 * not read is null.
 */
export const WallBoard = z.strictObject({
  name: z.string(),
  deptName: z.string(),
  now: Millis,
  expiresAt: Millis,
  alarms: z.strictObject({ total: z.int(), list: z.array(WallAlarm) }).nullable(),
  response: HomeResponse.nullable(),
  readiness: z
    .strictObject({
      score: z.int().nullable(),
      /** The mean of each of the last days. */
      days: z.array(z.int()),
      worst: z.array(z.strictObject({ id: Id, name: z.string(), score: z.int() })),
    })
    .nullable(),
  duty: HomeDuty.nullable(),
  schools: z.array(WallSchool).nullable(),
  units: z.array(WallUnit).nullable(),
  /** While an operator shows his choice here: the open alarm that he selected, when the wall may show it. */
  follow: z.strictObject({ alarm: WallAlarm.nullable(), schoolId: Id.nullable() }).nullable(),
})
export type WallBoard = z.output<typeof WallBoard>

/** A wall as its operators see it: which desk it follows, without the name of a person. */
export const WallToFollow = z.strictObject({
  id: Id,
  name,
  deptName: field(z.string(), '部门', 'Department'),
  follows: field(z.enum(['NOBODY', 'MINE', 'OTHER']), '跟随', 'Follows'),
})
export type WallToFollow = z.output<typeof WallToFollow>

const linkId = field(Id, '大屏链接', 'Wall link')
const recordId = field(Id.nullable(), '警情', 'Alarm')

/** 32 bytes as base64url. */
const token = field(z.string().min(1).max(100), '链接', 'Link')

const call = (verb: 'query' | 'create' | 'revoke') =>
  ({ kind: 'json', permission: `insight:wall:${verb}`, scope: 'dept' }) as const

export const wallLinks = {
  page: endpoint({
    ...call('query'),
    method: 'GET',
    path: '/insight/wall/page',
    summary: '大屏链接分页',
    summaryEn: 'Wall links, by page',
    query: WallLinkQuery,
    data: page(WallLinkRow),
  }),
  create: endpoint({
    ...call('create'),
    method: 'POST',
    path: '/insight/wall/create',
    summary: '创建大屏链接，口令只显示一次',
    summaryEn: 'Create a wall link; its token is shown once',
    body: WallLinkDraft,
    data: WallLinkCreated,
  }),
  revoke: endpoint({
    ...call('revoke'),
    method: 'POST',
    path: '/insight/wall/revoke',
    summary: '撤销大屏链接',
    summaryEn: 'Revoke a wall link',
    body: z.strictObject({ id: field(Id, '编号', 'Id') }),
    data: z.literal(true),
  }),
  /** By POST, because a token in an address would stay in logs. */
  open: endpoint({
    method: 'POST',
    path: '/insight/wall-board/open',
    kind: 'json',
    permission: 'open',
    scope: 'school',
    summary: '大屏数据，凭链接读取，不含个人信息',
    summaryEn: 'The figures of a wall, by its link; without personal data',
    body: z.strictObject({ token }),
    data: WallBoard,
  }),
  /** Apart from the board, which must not wait for the map service. */
  base: endpoint({
    method: 'POST',
    path: '/insight/wall-board/base',
    kind: 'json',
    permission: 'open',
    scope: 'none',
    summary: '大屏底图来源与状态，凭链接读取',
    summaryEn: 'Source and state of the base map of a wall, by its link',
    body: z.strictObject({ token }),
    data: MapBase,
  }),
  tile: endpoint({
    method: 'POST',
    path: '/insight/wall-board/tile',
    kind: 'file',
    permission: 'open',
    scope: 'none',
    summary: '大屏底图瓦片，凭链接读取',
    summaryEn: 'A tile of the base map of a wall, by its link',
    body: z.strictObject({
      token,
      layer: field(z.enum(mapLayers), '图层', 'Layer'),
      z: field(z.int().min(0).max(18), '缩放级别', 'Zoom level'),
      x: field(
        z
          .int()
          .min(0)
          .max(2 ** 18),
        '列',
        'Column',
      ),
      y: field(
        z
          .int()
          .min(0)
          .max(2 ** 18),
        '行',
        'Row',
      ),
    }),
    data: z.null(),
  }),
}

const follow = { kind: 'json', permission: 'insight:wall:follow', scope: 'dept' } as const

/** A desk shows the operator's own choice on walls, because he asked for it. */
export const wallFollows = {
  list: endpoint({
    ...follow,
    method: 'GET',
    path: '/insight/wall-follow/list',
    summary: '可跟随本人选择的大屏',
    summaryEn: 'Walls that could follow the choice of the caller',
    data: z.array(WallToFollow),
  }),
  start: endpoint({
    ...follow,
    method: 'POST',
    path: '/insight/wall-follow/start',
    summary: '让大屏跟随本人的选择，取代正在被跟随的席位',
    summaryEn: 'Let a wall follow the choice of the caller, in place of another desk',
    body: z.strictObject({ linkId, recordId }),
    data: z.literal(true),
  }),
  /** Renews what `start` began; answers with the walls that still follow. */
  show: endpoint({
    ...follow,
    method: 'POST',
    path: '/insight/wall-follow/show',
    summary: '告知大屏当前选择，并续期',
    summaryEn: 'Tell the walls what is selected now, and renew',
    body: z.strictObject({ recordId }),
    data: z.array(Id),
  }),
  stop: endpoint({
    ...follow,
    method: 'POST',
    path: '/insight/wall-follow/stop',
    summary: '停止让大屏跟随',
    summaryEn: 'No longer let a wall follow',
    body: z.strictObject({ linkId }),
    data: z.literal(true),
  }),
}
