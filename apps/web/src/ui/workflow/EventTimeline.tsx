import { Timeline, Typography } from 'antd'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { formatDateTime } from '#ui/time.ts'
import './workflow.css'

export type TimelineEvent = {
  key: number | string
  at: Date | number
  /** Who did it; null for the system. */
  who: string | null
  /** What was done, in words: 「派警 一号车」. */
  what: ReactNode
  /** The note or reason of the event. */
  note?: ReactNode
  /** Pictures and files of the entry. */
  attachments?: ReactNode
  /** Identifiers and raw data, behind a disclosure. */
  technical?: ReactNode
  /** The colour of the dot. */
  color?: string
}

/** A log as sentences, in the order given. */
export const EventTimeline = ({ events }: { events: readonly TimelineEvent[] }) => {
  const { t } = useTranslation()
  if (events.length === 0) return <Typography.Text type="secondary">{t('workflow.noEvents')}</Typography.Text>
  return (
    <Timeline
      items={events.map(({ key, at, who, what, note, attachments, technical, color }) => ({
        key,
        ...(color !== undefined && { color }),
        content: (
          <div className="timeline-event">
            <div>
              <Typography.Text strong>{who ?? t('workflow.system')}</Typography.Text> {what}
            </div>
            {note !== undefined && note !== null && note !== '' && <div className="timeline-note">{note}</div>}
            {attachments}
            <time className="timeline-time" dateTime={new Date(at).toISOString()}>
              {formatDateTime(at)}
            </time>
            {technical !== undefined && (
              <details>
                <summary>{t('workflow.technical')}</summary>
                {technical}
              </details>
            )}
          </div>
        ),
      }))}
    />
  )
}
