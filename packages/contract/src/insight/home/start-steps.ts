import { z } from 'zod'
import { Id } from '../../codecs.ts'
import { endpoint } from '../../endpoint.ts'
import { type EnumLabels, field } from '../../field.ts'

/** What an empty installation needs, in this order, until its first button is proven. */
export const startSteps = [
  'DISTRICT',
  'STATION',
  'SCHOOL',
  'PLACES',
  'MODEL',
  'DEVICES',
  'INSTALLATION',
  'TEST',
] as const
export type StartStep = (typeof startSteps)[number]

const startStep: EnumLabels<StartStep> = {
  DISTRICT: ['建立区县教育部门', 'Create a district of education'],
  STATION: ['建立派出所', 'Create a police station'],
  SCHOOL: ['录入学校', 'Enter a school'],
  PLACES: ['录入学校的位置', 'Enter the places of the school'],
  MODEL: ['新增设备型号', 'Create a device model'],
  DEVICES: ['登记设备', 'Register devices'],
  INSTALLATION: ['安装设备', 'Install a device'],
  TEST: ['试按并验收', 'Press it as a test and accept it'],
}
export const startLabels = { startStep }

/** Nothing is counted beyond this. */
export const MAX_START_COUNT = 100

export const HomeStart = z.strictObject({
  steps: z.array(
    z.strictObject({
      step: field(z.enum(startSteps), '步骤', 'Step'),
      /** What there is of it; `MAX_START_COUNT`: so many or more. A step is done with the first. */
      count: field(z.int().min(0).max(MAX_START_COUNT), '数量', 'Count'),
    }),
  ),
  /** The first school, which the next places may belong to; null without one. */
  schoolId: field(Id.nullable(), '学校', 'School'),
})
export type HomeStart = z.output<typeof HomeStart>

export const homeStart = {
  get: endpoint({
    method: 'GET',
    path: '/insight/home-start/get',
    kind: 'json',
    // Departments come first, and only administrators create them.
    permission: 'system:dept:create',
    scope: 'school',
    summary: '启用步骤',
    summaryEn: 'What an installation has of what it needs at first',
    data: HomeStart,
  }),
}
