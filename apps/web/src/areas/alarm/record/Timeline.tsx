import type { WarnLog } from '@tocsin/contract/alarm/log'
import { Flex, Timeline as AntTimeline, Typography } from 'antd'
import { stamp } from '#ui/time.ts'
import { Action, By, Payload, Transition } from '../log/LogText.tsx'

const colors: Partial<Record<WarnLog['kind'], string>> = { SIGNAL: 'red', TRANSITION: 'blue', NOTE: 'green' }

const Entry = ({ entry }: { entry: WarnLog }) => (
  <Flex vertical>
    <Flex gap="small" wrap>
      <Typography.Text strong>
        <Action entry={entry} />
      </Typography.Text>
      <Transition entry={entry} />
      <Typography.Text type="secondary">
        <By entry={entry} />
      </Typography.Text>
      <Typography.Text type="secondary">{stamp(entry.at)}</Typography.Text>
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
