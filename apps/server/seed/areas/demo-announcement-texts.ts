import type { AnnouncementState } from '@tocsin/contract/announcement/announcement-machine'

// Two months of announcements in the demo: one in each state, with realistic receipts.

type Edition = { content: string; daysAgo: number }
/** The receipts of an edition by reader. */
type Receipt = readonly [username: string, edition: number, daysAgo: number, isSigned?: boolean]
export type AnnouncementSeed = {
  title: string
  author: string
  reviewer?: string
  /** Codes; without schools and roles the scope is the department and everything below it. */
  dept?: string
  schools?: readonly string[]
  roles?: readonly string[]
  state: AnnouncementState
  pinned?: boolean
  needsSign?: boolean
  /** The text of a draft, or of each edition. */
  editions: readonly Edition[]
  /** The next edition, for review. */
  revision?: string
  publishIn?: number
  validFor?: number
  reason?: string
  receipts?: readonly Receipt[]
}

const p = (...lines: string[]) => lines.map((line) => `<p>${line}</p>`).join('')

export const announcementSeeds: readonly AnnouncementSeed[] = [
  {
    title: '秋季开学校园安全工作要求',
    author: 'edu',
    reviewer: 'edu.east',
    dept: 'EDU',
    state: 'EXPIRED',
    editions: [{ content: p('请各校开学前完成一次全面自查。', '9 月 30 日前报送自查表。'), daysAgo: 58 }],
    validFor: -28,
    receipts: [
      ['school1', 1, 57, true],
      ['school2', 1, 56, true],
      ['school3', 1, 56, true],
      ['safety1', 1, 55, true],
      ['guard1', 1, 55],
    ],
  },
  {
    title: '消防疏散演练安排',
    author: 'edu',
    reviewer: 'edu.east',
    schools: ['DEMO-S1', 'DEMO-S2', 'DEMO-S3'],
    state: 'PUBLISHED',
    editions: [
      {
        content: p('演练时间：11 月 9 日上午第二节课。', '演练前 30 分钟向辖区派出所报备。', '演练后当日提交记录。'),
        daysAgo: 26,
      },
      {
        content: p('演练时间：11 月 12 日上午第二节课。', '演练前 30 分钟向辖区派出所报备。', '演练后三日内提交记录。'),
        daysAgo: 21,
      },
    ],
    receipts: [
      ['school1', 1, 25, true],
      ['school1', 2, 20, true],
      ['safety1', 2, 20, true],
      ['school2', 1, 25, true],
      ['school2', 2, 19, true],
      ['school3', 1, 24, true],
      ['guard1', 1, 24],
      ['guard2', 2, 18, true],
    ],
  },
  {
    title: '期末校园安全检查安排',
    author: 'edu',
    reviewer: 'edu.east',
    dept: 'EDU',
    state: 'PUBLISHED',
    pinned: true,
    editions: [
      {
        content: `${p('检查时间：12 月 1 日至 5 日。', '检查内容：')}<ul><li>报警按钮在线与测试记录</li><li>消防通道与器材</li><li>护学岗排班</li></ul>${p('请各校 11 月 30 日前完成自查。')}`,
        daysAgo: 2,
      },
    ],
    validFor: 15,
    receipts: [
      ['school1', 1, 2, true],
      ['safety1', 1, 1],
      ['school2', 1, 1, true],
      ['guard2', 1, 1],
    ],
  },
  {
    title: '报警按钮季度测试配合事项',
    author: 'lead',
    reviewer: 'edu',
    roles: ['station_desk', 'officer', 'command_operator'],
    state: 'PUBLISHED',
    editions: [
      { content: p('测试期间的警情带「测试」标记，请勿派警。', '发现未标记的警情按真实警情处置。'), daysAgo: 6 },
    ],
    validFor: 20,
    revision: p('测试延长至本周五，期间的警情带「测试」标记，请勿派警。', '发现未标记的警情按真实警情处置。'),
    receipts: [
      ['station', 1, 6, true],
      ['command', 1, 5, true],
    ],
  },
  {
    title: '冬季传染病防控提示',
    author: 'safety1',
    reviewer: 'school1',
    schools: ['DEMO-S1'],
    state: 'PUBLISHED',
    needsSign: false,
    editions: [{ content: p('晨检发现发热学生请立即联系校医。', '教室每日通风三次。'), daysAgo: 9 }],
    receipts: [
      ['guard1', 1, 8],
      ['counsellor1', 1, 8],
    ],
  },
  {
    title: '学府路临时交通管制',
    author: 'edu.east',
    reviewer: 'edu',
    schools: ['DEMO-S2'],
    state: 'WITHDRAWN',
    editions: [{ content: p('11 月 14 日起学府路封闭施工，请提示家长绕行。'), daysAgo: 13 }],
    reason: '施工日期调整，另行通知。',
    receipts: [['school2', 1, 13]],
  },
  {
    title: '寒假值班安排',
    author: 'edu',
    reviewer: 'edu.east',
    dept: 'EDU',
    state: 'SCHEDULED',
    editions: [{ content: p('寒假期间各校每日至少两人值班。', '值班表请在发布后三日内报送。'), daysAgo: 1 }],
    publishIn: 3,
  },
  {
    title: '护学岗人员调整',
    author: 'supervisor',
    schools: ['DEMO-S1', 'DEMO-S2'],
    state: 'PENDING_REVIEW',
    editions: [{ content: p('下周起东门护学岗增加一名教师。'), daysAgo: 0.2 }],
  },
  {
    title: '校园周边整治（草稿）',
    author: 'edu.east',
    dept: 'DEMO-EAST',
    state: 'DRAFT',
    editions: [{ content: p('联合派出所整治校门两侧摊位。'), daysAgo: 0.1 }],
  },
]
