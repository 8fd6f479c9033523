import type { NotifyPolicyDraft, PolicyTarget } from '@tocsin/contract/notify/policy'
import type { RoleCode } from '#areas/access/seed/roles'

const roles = (...codes: RoleCode[]): PolicyTarget[] => codes.map((roleCode) => ({ kind: 'ROLE', roleCode }))

const station: PolicyTarget = { kind: 'STATION' }

/** The policies in force when a level has none: by level, for every class. */
export const defaultPolicies: readonly NotifyPolicyDraft[] = [
  {
    name: '一级警情默认策略',
    enabled: true,
    deptId: null,
    class: null,
    level: 1,
    steps: [
      { afterSec: 0, targets: roles('guard', 'safety_officer', 'command_operator'), channels: ['INAPP', 'SMS'] },
      { afterSec: 20, targets: roles('school_admin', 'shift_lead'), channels: ['INAPP', 'SMS', 'VOICE'] },
      { afterSec: 60, targets: [station], channels: ['INAPP', 'VOICE', 'SMS'] },
    ],
    loops: 2,
    fallback: { targets: roles('shift_lead', 'command_operator'), channels: ['INAPP', 'VOICE'] },
  },
  {
    name: '二级警情默认策略',
    enabled: true,
    deptId: null,
    class: null,
    level: 2,
    steps: [
      { afterSec: 0, targets: roles('guard', 'safety_officer'), channels: ['INAPP', 'SMS'] },
      { afterSec: 60, targets: roles('school_admin', 'shift_lead'), channels: ['INAPP', 'SMS'] },
    ],
    loops: 1,
    fallback: { targets: roles('shift_lead'), channels: ['INAPP', 'VOICE'] },
  },
  {
    name: '三级警情默认策略',
    enabled: true,
    deptId: null,
    class: null,
    level: 3,
    steps: [{ afterSec: 0, targets: roles('safety_officer'), channels: ['INAPP'] }],
    loops: 0,
    fallback: { targets: roles('school_admin'), channels: ['INAPP', 'SMS'] },
  },
  {
    name: '四级警情默认策略',
    enabled: true,
    deptId: null,
    class: null,
    level: 4,
    steps: [{ afterSec: 0, targets: roles('maintainer'), channels: ['INAPP'] }],
    loops: 0,
    fallback: { targets: roles('safety_officer'), channels: ['INAPP'] },
  },
]
