import type { WarnLog } from '@tocsin/contract/alarm/log'
import { Flex, Timeline as AntTimeline, Typography } from 'antd'
import { formatDateTime } from '#ui/time.ts'
import { Action, LogActor, Payload, Transition } from '../log/LogText.tsx'

const colors: Partial<Record<WarnLog['kind'], string>> = { SIGNAL: 'red', TRANSITION: 'blue', NOTE: 'green' }

const Entry = ({ entry }: { entry: WarnLog }) => (
  <Flex vertical>
    <Flex gap="small" wrap>
      <Typography.Text strong>
        <Action entry={entry} />
      </Typography.Text>
      <Transition entry={entry} />
      <Typography.Text type="secondary">
        <LogActor entry={entry} />
      </Typography.Text>
      <Typography.Text type="secondary">{formatDateTime(entry.at)}</Typography.Text>
    </Flex>
    <Payload payload={entry.payload} />
  </Flex>
)

/** A record's trace, oldest first, as it was written. */
export const Timeline = ({ log }: { log: readonly WarnLog[] }) => {
  const ordered = log.toSorted((one, other) => one.no - other.no)
  const items = ordered.map((entry) => ({
    key: entry.id,
    color: colors[entry.kind] ?? 'gray',
    content: <Entry entry={entry} />,
  }))
  return <AntTimeline items={items} />
}
