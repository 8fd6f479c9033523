import { type HTMLAttributes, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useLang } from '#texts/i18n.ts'
import { enumLabel } from '#texts/enum-labels.ts'
import { isUnownedEscalation, actionState } from '../actions/available-actions.ts'
import type { Actions } from '../actions/use-actions.ts'
import { useServerTime } from '#ui/RelativeTime.tsx'
import { isShelved } from '../sound/decide-sound.ts'
import type { Group, ListedRecord } from './queue-groups.ts'
import { QueueRow } from '../row/QueueRow.tsx'
import { useReportDisplayed } from './use-report-displayed.ts'

/** A list without groups has one part without a key. */
export type QueuePart = { key: Group<ListedRecord>['key'] | undefined; rows: ListedRecord[] }

type Props = {
  parts: readonly QueuePart[]
  /** Keep a row in its place while pointer or focus are in its group. */
  listeners: HTMLAttributes<HTMLDivElement>
  /** A note on the hidden records. */
  more: string | undefined
  selected: number | undefined
  actions: Actions
  onOpen: (id: number) => void
  onFocus: (id: number) => void
  onClaim: (record: ListedRecord) => void
}

const names = {
  overdue: 'desk.group_overdue',
  mine: 'desk.group_mine',
  new: 'desk.group_new',
  others: 'desk.group_others',
} as const

const FRESH_MS = 10_000
/** More rows of the user's own would cover the rest of the queue. */
const MAX_PINNED = 3
const [HEAD_PX, ROW_PX] = [28, 72]

type RowsProps = Omit<Props, 'parts' | 'listeners' | 'more'> & {
  rows: readonly ListedRecord[]
  tabStop: number | undefined
}

const Rows = ({ rows, selected, tabStop, actions, ...handlers }: RowsProps) => {
  const lang = useLang()
  const now = useServerTime()
  const claimText = (record: ListedRecord) => {
    const verb = isUnownedEscalation(record) ? 'take' : 'claim'
    return actionState(verb, record, actions.person) === 'free' ? enumLabel('verb', verb, lang) : undefined
  }
  return rows.map((record) => (
    <QueueRow
      key={record.id}
      record={record}
      selected={record.id === selected}
      tabStop={record.id === tabStop}
      shelved={isShelved(record, now)}
      fresh={now - record.receivedAt.getTime() < FRESH_MS}
      claimText={claimText(record)}
      {...handlers}
    />
  ))
}

/** The rows of the desk in their groups; the user's own stay in sight while others scroll. */
export const QueueList = ({ parts, listeners, more, selected, ...rest }: Props) => {
  const { t } = useTranslation()
  const box = useRef<HTMLDivElement>(null)
  // A row that changes its group is another element.
  useReportDisplayed(box, parts.map(({ key, rows }) => `${key}:${rows.map(({ id }) => id).join()}`).join())
  const all = parts.flatMap(({ rows }) => rows)
  const tabStop = (all.find(({ id }) => id === selected) ?? all[0])?.id
  const isPinned = ({ key, rows }: QueuePart) => key === 'mine' && rows.length <= MAX_PINNED
  const covered = HEAD_PX + ROW_PX * (parts.find(isPinned)?.rows.length ?? 0)
  return (
    <div className="desk-list" ref={box} style={{ scrollPaddingBlock: covered }} {...listeners}>
      {parts.map((part) => {
        const { key, rows } = part
        const name = key ? t(names[key]) : t('desk.queue')
        return (
          <div key={key ?? 'all'} className="desk-group" data-group={key} data-pinned={isPinned(part)}>
            {key && (
              <h3 className="desk-group-head">
                {name} <span>{rows.length}</span>
              </h3>
            )}
            <ul aria-label={name}>
              <Rows rows={rows} selected={selected} tabStop={tabStop} {...rest} />
            </ul>
          </div>
        )
      })}
      {more && <p className="desk-hint desk-more">{more}</p>}
    </div>
  )
}
