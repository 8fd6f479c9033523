import { situationKind } from '@tocsin/contract/alarm/alarm-labels'
import type { WarnRecordRow } from '@tocsin/contract/alarm/record'
import { useTranslation } from 'react-i18next'
import { useLang } from '#texts/i18n.ts'
import { formatTime } from '#ui/time.ts'
import { enumLabel } from '#texts/enum-labels.ts'
import { useServerTime } from '#ui/RelativeTime.tsx'
import { formatElapsed } from '../clock.ts'
import { isShelved } from '../sound/decide-sound.ts'

type Marked = { record: WarnRecordRow }

/** Colour and text: the level is never shown by colour alone. */
export const LevelMark = ({ level }: { level: number }) => (
  <span className="desk-level" data-level={level}>
    {enumLabel('level', level, useLang())}
  </span>
)

const bandOf = ({ mode, commissioning, testPlanId }: WarnRecordRow) => {
  if (commissioning) return 'desk.bandCommissioning'
  if (testPlanId !== null) return 'desk.bandPlanned'
  return mode === 'TEST' ? 'desk.bandTest' : 'desk.bandDrill'
}

/** A test must not look like an alarm, nor an alarm like a test: a hatched band with a label. */
export const ModeBand = ({ record }: Marked) => {
  const { t } = useTranslation()
  if (record.mode === 'LIVE') return null
  return (
    <div className="desk-band" data-mode={record.mode}>
      <b>{t(bandOf(record))}</b>
    </div>
  )
}

export const StateWord = ({ record: { state } }: Marked) => (
  <span className="desk-state" data-state={state}>
    {enumLabel('recordState', state, useLang())}
  </span>
)

const Ticking = ({ record }: Marked) => (
  <time className="desk-age" dateTime={record.receivedAt.toISOString()}>
    {formatElapsed(useServerTime() - record.receivedAt.getTime())}
  </time>
)

/** Running time since the server received it; for an ended record its duration. */
export const Age = ({ record }: Marked) => {
  const { t } = useTranslation()
  const end = record.closedAt ?? record.resolvedAt
  if (record.open || end === null) return <Ticking record={record} />
  return (
    <span className="desk-took">
      {t('desk.took', { time: formatElapsed(end.getTime() - record.receivedAt.getTime()) })}
    </span>
  )
}

type RecordFlag = { key: string; text: string; tone: 'warn' | 'alert' | 'calm' }

/** Other facts to know before acting: duress, for responders too. */
export const useRecordFlags = (record: WarnRecordRow): RecordFlag[] => {
  const { t } = useTranslation()
  const lang = useLang()
  const marks: (RecordFlag | false)[] = [
    record.duress && { key: 'duress', text: t('alarm.duress'), tone: 'alert' },
    record.falseBy !== null &&
      record.state !== 'RESOLVED' &&
      record.state !== 'CLOSED' && {
        key: 'false',
        text: t('desk.falseProposed', { name: record.falseByName ?? '' }),
        tone: 'warn',
      },
    record.presserCancelled && { key: 'cancelled', text: t('alarm.cancelled'), tone: 'warn' },
    record.late && { key: 'late', text: t('alarm.late'), tone: 'warn' },
    record.silent && { key: 'silent', text: t('alarm.silent'), tone: 'warn' },
    record.placeSensitivity === 'PRIVATE' && { key: 'private', text: t('alarm.privatePlace'), tone: 'warn' },
    record.condition === 'RECOVERED' && {
      key: 'recovered',
      text: enumLabel(situationKind(record.class), 'RECOVERED', lang),
      tone: 'calm',
    },
  ]
  return marks.filter((mark) => mark !== false)
}

const Shelved = ({ record }: Marked) => {
  const { t } = useTranslation()
  const now = useServerTime()
  if (!record.shelvedUntil || !isShelved(record, now)) return null
  return (
    <span className="desk-mark" data-tone="calm">
      {t('desk.shelvedUntil', { time: formatTime(record.shelvedUntil) })}
    </span>
  )
}

export const RecordFlags = ({ record }: Marked) => {
  const marks = useRecordFlags(record)
  return (
    <>
      {marks.map(({ key, text, tone }) => (
        <span key={key} className="desk-mark" data-tone={tone}>
          {text}
        </span>
      ))}
      {record.shelvedUntil && <Shelved record={record} />}
    </>
  )
}
