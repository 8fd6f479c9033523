import { situationKind } from '@tocsin/contract/alarm/alarm-labels'
import { WarnRecordRow } from '@tocsin/contract/alarm/record'
import type { RecordDetail, RecordSchool } from '@tocsin/contract/alarm/records'
import { Skeleton } from 'antd'
import { type ReactNode, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { QueryResult, displayableData } from '#ui/result/QueryResult.tsx'
import { column } from '#ui/column.tsx'
import { EnumLabel } from '#ui/EnumTag.tsx'
import { ErrorState } from '#ui/ErrorState.tsx'
import { useLang } from '#texts/i18n.ts'
import { OutageDevices } from '../../outage/OutageDevices.tsx'
import { DeskChecklist } from '../../checklist/DeskChecklist.tsx'
import { PlaceViews } from '../../map/PlaceViews.tsx'
import { Occurrences } from '../../record/Occurrences.tsx'
import { Related } from '../../record/Related.tsx'
import { DisplayLog } from '../../record/DisplayLog.tsx'
import { signalCount } from '../../record/signals.ts'
import { Timeline } from '../../record/Timeline.tsx'
import { useRecord } from '../../record/use-record.ts'
import { selectedNow } from '../selected-record.ts'
import { ActionBar } from '../actions/ActionBar.tsx'
import type { Actions } from '../actions/use-actions.ts'
import { VerbPanel } from '../actions/VerbPanel.tsx'
import { useReportDisplayedDetail } from '../queue/use-report-displayed.ts'
import { Back, Head } from './Head.tsx'
import { Milestones } from './Milestones.tsx'
import { SentPeople } from './SentPeople.tsx'
import { School } from '@tocsin/contract/school/school'
import { labelIn } from '@tocsin/contract/field'
import { useContacts } from './use-contacts.ts'
import { Contacts, Phone } from '#areas/school/contact/Contacts.tsx'

/** School data for a dispatcher: location, police station, number of children. */
const SchoolLine = ({ school }: { school: RecordSchool }) => {
  const { t } = useTranslation()
  const { address, stationName, studentCount, boarderCount } = school
  const parts = [
    address,
    stationName ?? t('desk.noStation'),
    t('desk.pupils', { n: studentCount }),
    boarderCount > 0 ? t('desk.boarders', { n: boarderCount }) : t('desk.noBoarders'),
  ]
  return <p className="desk-minor">{parts.filter(Boolean).join(' · ')}</p>
}

/** The contacts of the school of a record. */
const SchoolContacts = ({ recordId }: { recordId: number }) => {
  const { t } = useTranslation()
  const lang = useLang()
  const query = useContacts(recordId)
  return (
    <section className="desk-section">
      <h3>{t('school.contacts')}</h3>
      <QueryResult query={query}>
        {({ dutyPhone, contacts }) => (
          <>
            {dutyPhone !== null && (
              <p>
                {labelIn(lang, School.shape.dutyPhone)} <Phone phone={dutyPhone} />
              </p>
            )}
            <Contacts contacts={contacts} />
          </>
        )}
      </QueryResult>
    </section>
  )
}

const facts = [
  column(WarnRecordRow, 'class', { word: 'warnClass' }),
  column(WarnRecordRow, 'condition', {
    show: (condition, record) => <EnumLabel kind={situationKind(record.class)} value={condition} />,
  }),
  column(WarnRecordRow, 'ruleName'),
  column(WarnRecordRow, 'pressCount'),
  column(WarnRecordRow, 'lastAt'),
  column(WarnRecordRow, 'resetAt'),
  column(WarnRecordRow, 'resolverName'),
  column(WarnRecordRow, 'disposition', { word: 'disposition' }),
  column(WarnRecordRow, 'causeCode', { word: 'cause' }),
  column(WarnRecordRow, 'note'),
]

const Section = ({ title, children }: { title: string; children: ReactNode }) => (
  <section className="desk-section">
    <h3>{title}</h3>
    {children}
  </section>
)

const FactList = ({ record }: { record: WarnRecordRow }) => {
  const { t } = useTranslation()
  const lang = useLang()
  const known = facts.filter(({ key }) => record[key as keyof WarnRecordRow] !== null)
  return (
    <dl className="desk-facts">
      {known.map(({ key, title, render }) => (
        <div key={key}>
          <dt>{title(lang)}</dt>
          <dd>{render(record)}</dd>
        </div>
      ))}
      {record.lng !== null && record.lat !== null && (
        <div>
          <dt>{t('desk.position')}</dt>
          <dd>
            {record.lng.toFixed(5)}, {record.lat.toFixed(5)}
          </dd>
        </div>
      )}
    </dl>
  )
}

const Trace = ({ detail }: { detail: RecordDetail }) => {
  const { t } = useTranslation()
  return (
    <div className="desk-trace">
      <Section title={t('alarm.times')}>
        <Milestones detail={detail} />
      </Section>
      <Section title={t('alarm.timeline')}>
        <Timeline log={detail.log} files={detail.attachments} />
      </Section>
      <Section title={t('alarm.occurrences', { n: signalCount(detail) })}>
        <Occurrences rows={detail.occurrences} cut={detail.occurrencesCut} />
      </Section>
      <Section title={t('alarm.sightings')}>
        <DisplayLog rows={detail.sightings} />
      </Section>
    </div>
  )
}

/** The maximum delay of the detail, and the maximum wait before the next try. */
const BEHIND_MS = 2_000
const BEHIND_MOST_MS = 30_000

/** A lost response would leave the detail behind the queue: the request is restarted until one arrives. */
const useCatchUp = (row: WarnRecordRow | undefined, read: WarnRecordRow | undefined, again: () => unknown) => {
  const known = row && `${row.version} ${row.occurrenceCount}`
  const behind =
    row !== undefined &&
    read !== undefined &&
    (row.version > read.version || row.occurrenceCount > read.occurrenceCount)
  useEffect(() => {
    if (!behind) return
    let wait = BEHIND_MS
    const start = () => setTimeout(attempt, wait)
    const attempt = () => {
      again()
      // With a growing interval: otherwise a slow response that is not lost would never complete.
      wait = Math.min(2 * wait, BEHIND_MOST_MS)
      timer = start()
    }
    let timer = start()
    return () => clearTimeout(timer)
  }, [behind, known, again])
}

type Props = {
  id: number
  row: WarnRecordRow | undefined
  actions: Actions
  onOpen: (id: number) => void
  onBack: () => void
}

/** One record to work on: its head at once from the queue, the detail as soon as it is loaded. */
export const Detail = ({ id, row, actions, onOpen, onBack }: Props) => {
  const { t } = useTranslation()
  const query = useRecord(id)
  const { error, refetch } = query
  const data = displayableData(query)
  useCatchUp(row, data?.record, refetch)
  const record = row && (!data || row.version >= data.record.version) ? row : data?.record
  useReportDisplayedDetail(record && (row || record.open) ? id : undefined)
  if (!record)
    return (
      <>
        <Back onBack={onBack} />
        {error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <Skeleton active />}
      </>
    )
  const { panel } = actions
  const mine = panel?.record.id === id ? panel : undefined
  return (
    <article className="desk-sheet" data-mode={record.mode}>
      <Head record={record} onBack={onBack} />
      {data?.school && <SchoolLine school={data.school} />}
      {!record.open && <p className="desk-ended">{t(record.state === 'RESOLVED' ? 'desk.toReview' : 'desk.ended')}</p>}
      <ActionBar record={record} actions={actions} />
      {mine && (
        <VerbPanel
          key={`${mine.verb}${mine.stale?.version ?? ''}`}
          panel={mine}
          record={record}
          draft={actions.draftOf(mine)}
          busy={actions.isSending(mine)}
          onDraft={(values) => actions.keep(mine, values)}
          onAgree={(current) => actions.agree(mine, current)}
          onSend={(act) => void actions.send(mine, act)}
          onDone={(done) => {
            actions.finish(mine, done)
            // A record that ended long ago continues as a new one; a user who has switched away stays there.
            if (done.id !== id && selectedNow() === id) onOpen(done.id)
          }}
          onLeave={() => void actions.leave(mine)}
        />
      )}
      <SentPeople record={record} actions={actions} />
      <DeskChecklist record={record} actions={actions} />
      <Section title={t('track.place')}>
        <PlaceViews key={record.id} record={record} />
      </Section>
      <Section title={t('alarm.facts')}>
        <FactList record={record} />
      </Section>
      {record.schoolId !== null && <SchoolContacts recordId={record.id} />}
      <QueryResult query={query}>
        {(detail) => (
          <>
            <Related detail={detail} at="id" />
            {record.code === 'OUTAGE' && (
              <Section title={t('outage.title')}>
                <OutageDevices of={{ recordId: id }} />
              </Section>
            )}
            <Trace detail={detail} />
          </>
        )}
      </QueryResult>
    </article>
  )
}
