import type { WarnLog } from '@tocsin/contract/alarm/log'
import { Typography } from 'antd'
import { StateTag, Word } from '#ui/StateTag.tsx'

const shown = (value: unknown): string => (typeof value === 'object' ? JSON.stringify(value) : String(value))

/** What a log entry carries besides its transition, as `name: value`. */
export const Payload = ({ payload }: { payload: WarnLog['payload'] }) => {
  const given = Object.entries(payload).filter(([, value]) => value !== null && value !== '')
  if (given.length === 0) return null
  return (
    <Typography.Text type="secondary" style={{ overflowWrap: 'anywhere' }}>
      {given.map(([name, value]) => `${name}: ${shown(value)}`).join('; ')}
    </Typography.Text>
  )
}

export const Transition = ({ entry }: { entry: WarnLog }) => {
  if (!entry.toState || entry.fromState === entry.toState) return null
  return (
    <span>
      {entry.fromState && (
        <>
          <StateTag kind="recordState" value={entry.fromState} /> →{' '}
        </>
      )}
      <StateTag kind="recordState" value={entry.toState} />
    </span>
  )
}

export const Action = ({ entry }: { entry: WarnLog }) => (
  <Word kind={entry.kind === 'SIGNAL' ? 'alarmCode' : 'verb'} value={entry.verb} />
)
