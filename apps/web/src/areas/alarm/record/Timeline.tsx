import type { WarnLog } from '@tocsin/contract/alarm/log'
import { formatReadableText, formatTechnicalText } from '@tocsin/contract/alarm/log-text'
import type { Lang } from '@tocsin/contract/field'
import type { AttachmentInfo } from '@tocsin/contract/files/attachment'
import { useLang } from '#texts/i18n.ts'
import { AttachmentList } from '#ui/attachment/AttachmentList.tsx'
import { EventTimeline, type TimelineEvent } from '#ui/workflow/EventTimeline.tsx'
import { formatActor } from '#ui/workflow/format-actor.ts'
import { Action, Transition } from '../log/LogText.tsx'

const colors: Partial<Record<WarnLog['kind'], string>> = { SIGNAL: 'red', TRANSITION: 'blue', NOTE: 'green' }

type Files = readonly AttachmentInfo[]

/** The attached files of an entry. */
const filesOf = ({ payload }: WarnLog, files: Files): Files => {
  const ids: unknown = payload['fileIds']
  return Array.isArray(ids) ? files.filter(({ fileId }) => ids.includes(fileId)) : []
}

/** One entry of the log as a sentence. */
export const toLogEvent = (entry: WarnLog, files: Files, lang: Lang): TimelineEvent => {
  const technical = formatTechnicalText(entry.payload, lang)
  return {
    key: entry.id,
    at: entry.at,
    who: entry.actorId === null ? null : formatActor(entry),
    what: (
      <>
        <Action entry={entry} /> <Transition entry={entry} />
      </>
    ),
    note: formatReadableText(entry.payload, lang),
    attachments: <AttachmentList attachments={filesOf(entry, files)} />,
    color: colors[entry.kind] ?? 'gray',
    ...(technical !== '' && { technical: <span className="timeline-technical">{technical}</span> }),
  }
}

/** The log of a record, oldest first, as it was written. */
export const Timeline = ({ log, files = [] }: { log: readonly WarnLog[]; files?: Files }) => {
  const lang = useLang()
  const ordered = log.toSorted((left, right) => left.no - right.no)
  return <EventTimeline events={ordered.map((entry) => toLogEvent(entry, files, lang))} />
}
