import { z } from 'zod'
import { Id, Millis } from '../../codecs.ts'
import { endpoint } from '../../endpoint.ts'
import { field } from '../../field.ts'
import { situationStates } from '../../police/situation-machine.ts'
import { unitStates } from '../../police/unit.ts'
import { CoverageGap } from '../../security/gap.ts'

const count = z.int().min(0)

const waitingRow = {
  id: Id,
  schoolName: z.string().nullable(),
  receivedAt: Millis,
}

/** Incidents without a unit. */
export const HomeDispatch = z.strictObject({
  /** Of the list that shows all of them. */
  since: Millis,
  unclaimed: field(count, '待接警', 'Unclaimed'),
  toDispatch: field(count, '待派警', 'To dispatch'),
  overdue: field(count, '超时', 'Overdue'),
  /** Those that wait longest; at most five. */
  waiting: z.array(
    z.strictObject({
      ...waitingRow,
      no: z.string(),
      grade: z.int(),
      state: z.enum(situationStates),
      ownerId: Id.nullable(),
      place: z.string().nullable(),
    }),
  ),
})
export type HomeDispatch = z.output<typeof HomeDispatch>

/** Units by what they do now. `busy`: those on an incident, at most five. */
export const HomeUnits = z.strictObject({
  states: z.array(z.strictObject({ state: z.enum(unitStates), n: count })),
  busy: z.array(
    z.strictObject({
      id: Id,
      name: z.string(),
      state: z.enum(unitStates),
      situationId: Id.nullable(),
      situationNo: z.string().nullable(),
    }),
  ),
})
export type HomeUnits = z.output<typeof HomeUnits>

/** False alarms of the last 30 days and of the 30 days before. */
export const HomeFalseRate = z.strictObject({
  since: Millis,
  n: field(count, '误报', 'False alarms'),
  resolved: field(count, '已处置', 'Ended'),
  /** Per 1,000 device-days; null with less than one device-day. */
  rate: z.number().min(0).nullable(),
  rateBefore: z.number().min(0).nullable(),
  /** The most frequent causes: dispositions, or a written reason. */
  causes: z.array(z.strictObject({ cause: z.string(), n: count })),
})
export type HomeFalseRate = z.output<typeof HomeFalseRate>

/** Accepted devices whose battery is low, or ends within 30 days at the measured discharge. */
export const HomeBatteries = z.strictObject({
  low: field(count, '电量低', 'Low'),
  ending: field(count, '30 天内用完', 'Empty within 30 days'),
  /** Those that end first; at most five. */
  next: z.array(
    z.strictObject({
      deviceId: Id,
      sn: z.string(),
      schoolName: z.string().nullable(),
      batteryPct: z.int().nullable(),
      daysLeft: z.int().nullable(),
    }),
  ),
})
export type HomeBatteries = z.output<typeof HomeBatteries>

/** Gaps of the next 24 hours; `next`: the first five. */
export const HomeGaps = z.strictObject({
  now: field(count, '此刻无人', 'Nobody now'),
  ahead: field(count, '24 小时内', 'Within 24 hours'),
  absent: field(count, '因缺岗', 'Because of an absence'),
  next: z.array(CoverageGap),
})
export type HomeGaps = z.output<typeof HomeGaps>

/** Open bullying alarms of mode LIVE, and those of the last 30 days. */
export const HomeBullying = z.strictObject({
  since: Millis,
  open: field(count, '未结', 'Open'),
  recent: field(count, '近 30 天', 'Last 30 days'),
  waiting: z.array(
    z.strictObject({ ...waitingRow, code: z.string(), level: z.int(), placePath: z.string().nullable() }),
  ),
})
export type HomeBullying = z.output<typeof HomeBullying>

/** What the operation log says about today, by the last part of the action. */
const LoggedToday = z.strictObject({
  since: Millis,
  people: field(count, '人数', 'People'),
  kinds: z.array(z.strictObject({ subType: z.string(), n: count })),
  /** The latest five. */
  latest: z.array(z.strictObject({ id: Id, at: Millis, userName: z.string().nullable(), action: z.string() })),
})
export type HomeLogged = z.output<typeof LoggedToday>

/** The latest seals of the operation log, recomputed now. */
export const HomeSeals = z.strictObject({
  seals: field(count, '已核对的封存', 'Seals checked'),
  rows: field(count, '已核对的日志', 'Entries checked'),
  /** Entries that wait for their seal. */
  waiting: field(count, '待封存', 'To be sealed'),
  lastAt: Millis.nullable(),
  /** The number of the first seal that does not match; null while all do. */
  broken: z.int().nullable(),
})
export type HomeSeals = z.output<typeof HomeSeals>

const card = { method: 'GET', kind: 'json', scope: 'school' } as const

/** One answer for each card, so that one which fails or is not permitted takes no other with it. */
export const homeCards = {
  bullying: endpoint({
    ...card,
    path: '/insight/home/bullying',
    permission: 'warn:record:query',
    summary: '欺凌警情',
    summaryEn: 'Bullying alarms',
    data: HomeBullying,
  }),
  dispatch: endpoint({
    ...card,
    path: '/insight/home-police/dispatch',
    permission: 'police:situation:query',
    summary: '待派警单',
    summaryEn: 'Incidents that wait for a unit',
    data: HomeDispatch,
  }),
  units: endpoint({
    ...card,
    scope: 'dept',
    path: '/insight/home-police/units',
    permission: 'police:unit:query',
    summary: '警力状态',
    summaryEn: 'Units by state',
    data: HomeUnits,
  }),
  falseRate: endpoint({
    ...card,
    path: '/insight/home-figure/false-rate',
    permission: 'report:govern:query',
    summary: '近 30 天误报率',
    summaryEn: 'Rate of false alarms of the last 30 days',
    data: HomeFalseRate,
  }),
  batteries: endpoint({
    ...card,
    path: '/insight/home-figure/batteries',
    permission: 'device:device:query',
    summary: '电池 30 天内用完的设备',
    summaryEn: 'Devices whose battery ends within 30 days',
    data: HomeBatteries,
  }),
  gaps: endpoint({
    ...card,
    path: '/insight/home-figure/gaps',
    permission: 'security:shift:gap',
    summary: '缺岗',
    summaryEn: 'Schools with nobody on duty',
    data: HomeGaps,
  }),
  exports: endpoint({
    ...card,
    scope: 'dept',
    path: '/insight/home-figure/exports',
    permission: 'system:operate-log:query',
    summary: '今日导出',
    summaryEn: 'Exports of today',
    data: LoggedToday,
  }),
  personalReads: endpoint({
    ...card,
    scope: 'dept',
    path: '/insight/home-figure/personal-reads',
    permission: 'system:operate-log:query',
    summary: '今日个人信息查看',
    summaryEn: 'Personal data read today',
    data: LoggedToday,
  }),
  seals: endpoint({
    ...card,
    scope: 'dept',
    path: '/insight/home-figure/seals',
    permission: 'system:operate-log:query',
    summary: '操作日志校验结果',
    summaryEn: 'Result of checking the operation log',
    data: HomeSeals,
  }),
}
