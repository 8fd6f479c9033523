import { Button } from 'antd'
import { memo } from 'react'
import { useTranslation } from 'react-i18next'
import { useLang } from '#texts/i18n.ts'
import { enumLabel } from '#texts/enum-labels.ts'
import { formatPlace } from '../format-place.ts'
import { Owner } from '../queue/Owner.tsx'
import { type ListedRecord, elapsedOf, limitTone } from '../queue/queue-groups.ts'
import { Age, LevelMark, RecordFlags, ModeBand, StateWord } from '../queue/RecordFlags.tsx'
import type { NextLimit } from '@tocsin/contract/alarm/record'
import { formatDateTime } from '#ui/time.ts'
import { useServerTime } from '#ui/RelativeTime.tsx'
import { formatElapsed } from '../clock.ts'

const names = {
  T1: 'desk.limit_T1',
  T2: 'desk.limit_T2',
  T3: 'desk.limit_T3',
  T4: 'desk.limit_T4',
  T5: 'desk.limit_T5',
} as const

/** The running time of the next limit beside its name and length; when it has passed, the time since. */
const LimitClock = ({ limit }: { limit: NextLimit }) => {
  const { t } = useTranslation()
  const now = useServerTime()
  const tone = limitTone(limit, now)
  const what = t(names[limit.step])
  const running = tone === 'over' ? now - limit.dueAt.getTime() : elapsedOf(limit, now)
  return (
    <span className="desk-clock" data-tone={tone} title={formatDateTime(limit.dueAt)}>
      {tone === 'over' ? t('desk.limitOver', { what }) : what}{' '}
      <time className="desk-age" dateTime={limit.dueAt.toISOString()}>
        {formatElapsed(running)}
      </time>
      {tone !== 'over' && ` / ${formatElapsed(limit.seconds * 1000)}`}
    </span>
  )
}

type Props = {
  record: ListedRecord
  selected: boolean
  shelved: boolean
  /** Received seconds ago: an unclaimed alarm of level 1 draws the eye. */
  fresh: boolean
  /** The Tab key stops at one row of the list; arrows lead to the others. */
  tabStop: boolean
  /** The label of the row's button; absent when there is nothing to claim. */
  claimText: string | undefined
  onOpen: (id: number) => void
  onFocus: (id: number) => void
  onClaim: (record: ListedRecord) => void
}

/** One alarm of the queue: level, class, limit; place; school and owner. */
export const QueueRow = memo(
  ({ record, selected, shelved, fresh, tabStop, claimText, onOpen, onFocus, onClaim }: Props) => {
    const { t } = useTranslation()
    const lang = useLang()
    const { id, mode, state, open, level, occurrenceCount, schoolName, limit, commissioning } = record
    const place = formatPlace(record) || t('desk.noPlace')
    const school = schoolName ?? t('desk.noSchool')
    const [kind, code] = [enumLabel('warnClass', record.class, lang), enumLabel('alarmCode', record.code, lang)]
    return (
      <li
        className="desk-row"
        data-id={id}
        data-mode={mode}
        data-state={state}
        data-level={level}
        data-due={open && !shelved && !commissioning && record.ownerId === null}
        data-fresh={fresh}
        data-shelved={shelved}
        data-selected={selected}
        onFocus={() => onFocus(id)}
      >
        <button
          type="button"
          className="desk-row-open"
          tabIndex={tabStop ? 0 : -1}
          aria-current={selected}
          onClick={() => onOpen(id)}
        >
          <span className="desk-row-top">
            <LevelMark level={level} />
            <b className="desk-class">{kind}</b>
            {code !== kind && <span className="desk-row-code">{code}</span>}
            {occurrenceCount > 1 && <span className="desk-times">×{occurrenceCount}</span>}
            <ModeBand record={record} />
            {limit ? <LimitClock limit={limit} /> : <Age record={record} />}
          </span>
          <span className="desk-place" title={place}>
            {place}
          </span>
          <span className="desk-row-foot">
            <StateWord record={record} />
            <RecordFlags record={record} />
            <span className="desk-school" title={school}>
              {school}
            </span>
            <Owner record={record} />
          </span>
        </button>
        {claimText && (
          <Button
            autoInsertSpace={false}
            className="desk-row-claim"
            tabIndex={tabStop ? 0 : -1}
            onClick={() => onClaim(record)}
          >
            {claimText}
          </Button>
        )}
      </li>
    )
  },
)
