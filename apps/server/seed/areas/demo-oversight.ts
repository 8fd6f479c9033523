import { sql } from 'kysely'
import { nextOrderNo, saveParties } from '#areas/supervise/order-change'
import type { OrderLogVerb } from '@tocsin/contract/supervise/order'
import type { OrderState } from '@tocsin/contract/supervise/order-machine'
import type { Db } from '#db/db'
import { unscoped } from '#db/scope'
import type { Row } from '#db/tables'
import { deptByCode } from '../fixtures.ts'

// Two months of supervision in the demo: one order in every stage.

type People = ReadonlyMap<string, number>
type Step = readonly [verb: OrderLogVerb, username: string | null, state: OrderState, daysAgo: number, text?: string]
type OrderSeed = Pick<Row<'superviseOrder'>, 'kind' | 'title' | 'content' | 'requirement'> & {
  school: string
  head: string
  /** Days from now until it is due. */
  dueIn: number
  evaluation?: number
  extendTo?: number
  steps: readonly Step[]
}

const orders: readonly OrderSeed[] = [
  {
    kind: 'FALSE_ALARM_HIGH',
    title: '语音终端误报率偏高',
    content: '近 30 天 14 起语音警情中 6 起为误报，多由操场广播引起。',
    requirement: '调整音箱朝向，复测两周，误报率降到 30% 以下。',
    school: 'DEMO-S2',
    head: 'school2',
    dueIn: -38,
    evaluation: 5,
    steps: [
      ['issue', 'edu.east', 'ISSUED', 58],
      ['sign', 'school2', 'SIGNED', 58],
      ['progress', 'school2', 'IN_PROGRESS', 50, '已移动两只音箱，正在复测。'],
      ['submit', 'school2', 'SUBMITTED', 41, '复测两周 9 起警情，误报 1 起。'],
      ['conclude', 'edu', 'CONCLUDED', 40, '数据属实。'],
      ['evaluate', 'edu.east', 'EVALUATED', 39, '措施有效。'],
    ],
  },
  {
    kind: 'HAZARD',
    title: '实验楼消防通道堆放杂物',
    content: '检查发现实验楼二层东侧通道堆放旧课桌。',
    requirement: '清理通道，拍照上传，明确责任人。',
    school: 'DEMO-S1',
    head: 'school1',
    dueIn: -20,
    steps: [
      ['issue', 'supervisor', 'ISSUED', 27],
      ['sign', 'safety1', 'SIGNED', 27],
      ['progress', 'safety1', 'IN_PROGRESS', 25, '课桌已搬到仓库。'],
      ['submit', 'safety1', 'SUBMITTED', 23, '通道畅通，责任人孙建国。'],
      ['return', 'supervisor', 'RETURNED', 22, '缺少整改后照片。'],
      ['progress', 'safety1', 'IN_PROGRESS', 22, '已补拍照片。'],
      ['submit', 'safety1', 'SUBMITTED', 21, '照片已补。'],
      ['conclude', 'edu', 'CONCLUDED', 20],
    ],
  },
  {
    kind: 'DEVICE_UNREADY',
    title: '宿舍楼两台报警按钮长期离线',
    content: '宿舍楼一层、三层按钮离线超过 24 小时。',
    requirement: '恢复在线并完成按钮测试。',
    school: 'DEMO-S3',
    head: 'school3',
    dueIn: -1.4,
    steps: [
      ['issue', 'edu', 'ISSUED', 8],
      ['sign', 'school3', 'SIGNED', 7],
      ['progress', 'school3', 'IN_PROGRESS', 5, '已报修，等待配件。'],
      ['remindSoon', null, 'IN_PROGRESS', 4],
      ['remindDue', null, 'IN_PROGRESS', 1.4],
      ['remindLate', null, 'IN_PROGRESS', 0.4],
    ],
  },
  {
    kind: 'DUTY_ABSENT',
    title: '东门护学岗两次缺岗',
    content: '11 月两次放学时段东门无人值守。',
    requirement: '落实替班制度，提交本月排班。',
    school: 'DEMO-S1',
    head: 'school1',
    dueIn: 4,
    steps: [
      ['issue', 'edu.east', 'ISSUED', 6],
      ['sign', 'school1', 'SIGNED', 6],
      ['progress', 'school1', 'IN_PROGRESS', 3, '已确定两名替班人员。'],
      ['submit', 'school1', 'SUBMITTED', 1, '排班表已公示。'],
    ],
  },
  {
    kind: 'MANUAL',
    title: '校门人车分流改造',
    content: '学府路校门上下学时段人车混行。',
    requirement: '完成隔离设施安装并报验。',
    school: 'DEMO-S2',
    head: 'school2',
    dueIn: 2,
    extendTo: 12,
    steps: [
      ['issue', 'edu.east', 'ISSUED', 18],
      ['sign', 'school2', 'SIGNED', 17],
      ['progress', 'school2', 'IN_PROGRESS', 9, '施工单位已进场。'],
      ['requestExtension', 'school2', 'IN_PROGRESS', 0.5, '连续降雨停工三天。'],
    ],
  },
  {
    kind: 'HAZARD',
    title: '食堂后门锁具损坏',
    content: '夜间巡查发现食堂后门不能上锁。',
    requirement: '更换锁具，当日恢复。',
    school: 'DEMO-S1',
    head: 'safety1',
    dueIn: 1,
    steps: [['issue', 'supervisor', 'ISSUED', 0.1]],
  },
  {
    kind: 'MANUAL',
    title: '期末安全检查准备',
    content: '期末前完成一次全面自查。',
    requirement: '提交自查表与问题清单。',
    school: 'DEMO-S3',
    head: 'school3',
    dueIn: 30,
    steps: [],
  },
]

const daysFromNow = (days: number) => sql<Date>`now() + make_interval(secs => ${days * 86_400})`

const stamps = (people: People, { steps }: OrderSeed) => {
  const last = (verb: OrderLogVerb) => steps.findLast(([item]) => item === verb)
  const findPerson = (verb: OrderLogVerb) => people.get(last(verb)?.[1] ?? '') ?? null
  const at = (verb: OrderLogVerb) => {
    const step = last(verb)
    return step ? daysFromNow(-step[3]) : null
  }
  return {
    issuerId: findPerson('issue'),
    issuedAt: at('issue'),
    signedBy: findPerson('sign'),
    signedAt: at('sign'),
    submittedBy: findPerson('submit'),
    submittedAt: at('submit'),
    concludedBy: findPerson('conclude'),
    concludedAt: at('conclude'),
  }
}

const buildOrder = async (trx: Db, people: People, seed: OrderSeed): Promise<void> => {
  const { school: code, head, dueIn, evaluation = null, extendTo, steps, ...text } = seed
  const school = await unscoped(trx, 'the seed acts for nobody in particular')
    .selectFrom('school')
    .select(['id', 'deptId', 'name'])
    .where('code', '=', code)
    .executeTakeFirstOrThrow()
  const order = await trx
    .insertInto('superviseOrder')
    .values({
      ...text,
      ...stamps(people, seed),
      subjectType: 'SCHOOL',
      subjectId: school.id,
      subjectLabel: school.name,
      no: await nextOrderNo(trx),
      issuerDeptId: await deptByCode(trx, 'EDU'),
      responsibleDeptId: school.deptId,
      schoolId: school.id,
      responsibleUserId: people.get(head) ?? null,
      state: steps.at(-1)?.[2] ?? 'DRAFT',
      dueAt: daysFromNow(dueIn),
      evaluation,
      creator: people.get(steps[0]?.[1] ?? 'supervisor') ?? null,
      ...(extendTo && {
        extensionState: 'REQUESTED',
        extensionTo: daysFromNow(extendTo),
        extensionReason: '连续降雨停工三天。',
        extensionProgress: '基础已完成，护栏待装。',
      }),
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  await saveParties(trx, order)
  for (const [verb, username, toState, daysAgo, said = null] of steps)
    await trx
      .insertInto('superviseOrderLog')
      .values({
        orderId: order.id,
        at: daysFromNow(-daysAgo),
        userId: username === null ? null : (people.get(username) ?? null),
        verb,
        toState,
        text: said,
      })
      .execute()
}

/** Runs after the accounts exist. */
export const buildOversight = async (trx: Db): Promise<void> => {
  const rows = await unscoped(trx, 'the seed acts for nobody in particular')
    .selectFrom('users')
    .select(['id', 'username'])
    .execute()
  const people: People = new Map(rows.map(({ id, username }) => [username, id]))
  for (const seed of orders) await buildOrder(trx, people, seed)
}
