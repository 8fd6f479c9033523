import { Tag } from 'antd'
import { useLang } from '#texts/i18n.ts'
import { enumLabel, type EnumKind } from '#texts/enum-labels.ts'

type Tone = 'red' | 'orange' | 'gold' | 'green' | 'blue' | 'purple' | 'default'

/** Urgent is red, waiting for somebody orange, in hand blue, well green; the rest is neutral. */
const tones: Partial<Record<EnumKind, Record<string, Tone>>> = {
  recordState: {
    NEW: 'red',
    CLAIMED: 'orange',
    HANDLING: 'blue',
    ESCALATED: 'purple',
    RESOLVED: 'gold',
    CLOSED: 'default',
  },
  level: { '1': 'red', '2': 'orange', '3': 'gold', '4': 'default' },
  mode: { LIVE: 'red', TEST: 'blue', DRILL: 'purple' },
  connectivity: { ONLINE: 'green', LATE: 'orange', OFFLINE: 'red', NEVER_SEEN: 'default' },
  lifecycle: {
    ALLOCATED: 'orange',
    INSTALLING: 'blue',
    COMMISSIONING: 'blue',
    IN_SERVICE: 'green',
    UNDER_REPAIR: 'orange',
    SUSPENDED: 'orange',
  },
  commandState: { SENT: 'blue', ACCEPTED: 'blue', SUCCEEDED: 'green' },
  testPlanState: { NOTIFIED: 'blue', RUNNING: 'blue', COMPLETED: 'green' },
  testResult: { PASSED: 'green', NOT_PRESSED: 'orange' },
  deviceLack: { POLICE_STATION: 'orange', RECIPIENT: 'orange' },
  installation: { PLANNED: 'orange', ACCEPTED: 'green', INSTALLED: 'orange', SUSPENDED: 'orange' },
  schoolStatus: { ACTIVE: 'green', SUSPENDED: 'orange', PREPARING: 'blue' },
  strangerReason: { BAD_SECRET: 'red', UNKNOWN_SN: 'orange' },
  noticeLevel: { L: 'default', M: 'orange', H: 'red' },
  noticeState: { PUBLISHED: 'green', REVOKED: 'orange' },
  loginResult: { SUCCESS: 'green', SLOWED: 'orange', SECOND_FACTOR: 'orange', REUSED: 'red', BAD_PASSWORD: 'red' },
  jobState: { RUNNING: 'blue', READY: 'orange', DONE: 'green', FAILED: 'red' },
  importVerdict: { CREATE: 'green', UPDATE: 'blue', BAD: 'red' },
  sensitivity: { PRIVATE: 'purple' },
}

/** An enum's word in the reader's language, coloured by how much it needs somebody. */
export const EnumTag = ({ kind, value }: { kind: EnumKind; value: string | number | null }) => {
  const lang = useLang()
  if (value === null) return <>—</>
  return (
    <Tag color={tones[kind]?.[String(value)] ?? 'default'} style={{ marginInlineEnd: 0 }}>
      {enumLabel(kind, value, lang)}
    </Tag>
  )
}

/** The word alone. */
export const EnumLabel = ({ kind, value }: { kind: EnumKind; value: string | number | null }) => {
  const lang = useLang()
  return <>{value === null ? '—' : enumLabel(kind, value, lang)}</>
}
