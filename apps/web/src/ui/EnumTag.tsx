import { useLang } from '#texts/i18n.ts'
import { enumLabel, type EnumKind } from '#texts/enum-labels.ts'
import { ToneTag, type TagTone } from './tone/ToneTag.tsx'

/** Which tone each value has; a value without one is calm. */
const tones: Partial<Record<EnumKind, Record<string, TagTone>>> = {
  recordState: { NEW: 'alarm', CLAIMED: 'busy', HANDLING: 'busy', ESCALATED: 'busy', RESOLVED: 'wait' },
  level: { '1': 'level-1', '2': 'level-2', '3': 'level-3', '4': 'level-4' },
  mode: { TEST: 'wait', DRILL: 'wait' },
  connectivity: { ONLINE: 'done', LATE: 'wait', OFFLINE: 'fault' },
  outageDeviceState: { OFFLINE: 'fault', RESTORED: 'done', RAISED: 'wait' },
  lifecycle: {
    ALLOCATED: 'wait',
    INSTALLING: 'busy',
    COMMISSIONING: 'busy',
    IN_SERVICE: 'done',
    UNDER_REPAIR: 'wait',
    SUSPENDED: 'wait',
    LOST: 'fault',
  },
  commandState: {
    SENT: 'busy',
    DELIVERED: 'busy',
    ACCEPTED: 'busy',
    SUCCEEDED: 'done',
    FAILED: 'fault',
    TIMEOUT: 'fault',
  },
  situationState: { RECEIVED: 'wait', DISPATCHED: 'busy', IN_PROGRESS: 'busy', FED_BACK: 'wait' },
  unitState: { FREE: 'done', ASSIGNED: 'wait', EN_ROUTE: 'busy', ON_SCENE: 'busy' },
  testPlanState: { NOTIFIED: 'busy', RUNNING: 'busy', COMPLETED: 'done' },
  maintenanceState: {
    OPEN: 'wait',
    ASSIGNED: 'wait',
    ON_SITE: 'busy',
    DONE: 'wait',
    VERIFIED: 'done',
    REOPENED: 'wait',
  },
  maintenancePriority: { HIGH: 'wait' },
  rolloutState: { APPROVED: 'busy', RING: 'busy', PAUSED: 'wait', COMPLETED: 'done', HALTED: 'fault' },
  rolloutDeviceState: {
    INITIATED: 'busy',
    DOWNLOADING: 'busy',
    DOWNLOADED: 'busy',
    VERIFIED: 'busy',
    UPDATING: 'busy',
    UPDATED: 'done',
    FAILED: 'fault',
    ROLLED_BACK: 'wait',
  },
  procedureStatus: { PUBLISHED: 'done' },
  runState: { RUNNING: 'busy', DONE: 'done', FAILED: 'fault' },
  testResult: { PASSED: 'done', NOT_PRESSED: 'wait', NOT_RECEIVED: 'fault' },
  assignmentState: {
    ASSIGNED: 'wait',
    RECEIVED: 'busy',
    EN_ROUTE: 'busy',
    ON_SCENE: 'done',
    DECLINED: 'fault',
    TIMED_OUT: 'fault',
  },
  responderState: { FREE: 'done', ASSIGNED: 'wait', EN_ROUTE: 'busy', ON_SCENE: 'busy' },
  swapState: { ASKED: 'wait', AGREED: 'done' },
  gapReason: { NO_SHIFT: 'fault', ABSENT: 'fault', UNREACHABLE: 'fault', UNPUBLISHED: 'wait' },
  handoverState: { DRAFT: 'wait', GIVEN: 'wait', DONE: 'done' },
  patrolRunState: { RUNNING: 'busy', DONE: 'done', MISSED: 'fault' },
  shiftState: { CHECKED_IN: 'done', LATE: 'wait', ABSENT: 'fault', LEFT_EARLY: 'wait' },
  orderState: {
    ISSUED: 'wait',
    SIGNED: 'busy',
    IN_PROGRESS: 'busy',
    SUBMITTED: 'wait',
    RETURNED: 'wait',
    CONCLUDED: 'done',
  },
  announcementState: { PENDING_REVIEW: 'wait', SCHEDULED: 'busy', PUBLISHED: 'done' },
  revisionState: { PENDING_REVIEW: 'wait' },
  readState: { UNREAD: 'wait', CHANGED: 'wait', SIGNED: 'done' },
  orderLight: { GREEN: 'done', YELLOW: 'wait', RED: 'alarm' },
  extensionState: { REQUESTED: 'wait', APPROVED: 'done' },
  deviceLack: { POLICE_STATION: 'wait', RECIPIENT: 'wait' },
  deliveryState: {
    SENDING: 'busy',
    SENT: 'busy',
    DELIVERED: 'done',
    READ: 'done',
    REPLIED: 'done',
    FAILED: 'fault',
  },
  installation: { PLANNED: 'wait', INSTALLED: 'wait', ACCEPTED: 'done', SUSPENDED: 'wait' },
  employeeStatus: { ACTIVE: 'done', LEAVE: 'wait' },
  nomination: { LAST_RECIPIENT: 'wait' },
  schoolStatus: { PREPARING: 'wait', ACTIVE: 'done', SUSPENDED: 'wait' },
  strangerReason: { BAD_SECRET: 'fault', UNKNOWN_SN: 'wait' },
  noticeLevel: { M: 'wait', H: 'fault' },
  noticeState: { PUBLISHED: 'done', REVOKED: 'wait' },
  loginResult: { SUCCESS: 'done', SLOWED: 'wait', SECOND_FACTOR: 'wait', REUSED: 'fault', BAD_PASSWORD: 'fault' },
  jobState: { RUNNING: 'busy', READY: 'wait', DONE: 'done', FAILED: 'fault' },
  importVerdict: { CREATE: 'done', UPDATE: 'busy', BAD: 'fault' },
  sensitivity: { PRIVATE: 'wait' },
}

/** An enum's word in the reader's language, in the tone of its value. */
export const EnumTag = ({ kind, value }: { kind: EnumKind; value: string | number | null }) => {
  const lang = useLang()
  if (value === null) return <>–</>
  return <ToneTag tone={tones[kind]?.[String(value)] ?? 'calm'}>{enumLabel(kind, value, lang)}</ToneTag>
}

/** The label without a tag. */
export const EnumLabel = ({ kind, value }: { kind: EnumKind; value: string | number | null }) => {
  const lang = useLang()
  return <>{value === null ? '–' : enumLabel(kind, value, lang)}</>
}
