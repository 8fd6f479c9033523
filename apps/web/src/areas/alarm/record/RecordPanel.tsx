import { situationKind } from '@tocsin/contract/alarm/alarm-labels'
import { milestones } from '@tocsin/contract/alarm/milestone'
import { WarnRecordRow } from '@tocsin/contract/alarm/record'
import type { RecordDetail } from '@tocsin/contract/alarm/records'
import { Alert, Button, Flex, Tag, Typography } from 'antd'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate, Link } from 'react-router'
import { SubjectDeliveries } from '#areas/notify/delivery/SubjectDeliveries.tsx'
import { usePathOf } from '#shell/path-of.ts'
import { formatDateTime } from '#ui/time.ts'
import { column } from '#ui/column.tsx'
import { DescriptionList } from '#ui/DescriptionList.tsx'
import { EnumTag, EnumLabel } from '#ui/EnumTag.tsx'
import { IssueOrderButton } from '#ui/workflow/IssueOrderButton.tsx'
import { actionStates } from '../desk/actions/available-actions.ts'
import { OutageDevices } from '../outage/OutageDevices.tsx'
import { usePerson } from '../desk/actions/use-person.ts'
import { PlaceViews } from '../map/PlaceViews.tsx'
import { Occurrences } from './Occurrences.tsx'
import { RecordFiles } from './print/RecordFiles.tsx'
import { Related } from './Related.tsx'
import { DisplayLog } from './DisplayLog.tsx'
import { signalCount } from './signals.ts'
import { Timeline } from './Timeline.tsx'
import { wasClaimedUnsounded } from './unclaimed.ts'
import { situations } from '@tocsin/contract/police/situations'
import { useQuery } from '@tanstack/react-query'
import { queryFor, inlineQuery } from '#api/query.ts'
import { useHasPermission } from '#api/session.ts'
import { deviceCommands, isAudioOpen, isCommandOver } from '@tocsin/contract/device/command'
import { CommandTable } from '#areas/device/detail/CommandTable.tsx'

/** Polling interval while a command runs; no event tells when it left the gateway. */
const RUNNING_POLL_MS = 2_000

/** What was sent to the device while the alarm was open; nothing when nothing was sent. */
const RecordCommands = ({ recordId }: { recordId: number }) => {
  const { t } = useTranslation()
  const maySee = useHasPermission('device:command:query')
  const { data = [] } = useQuery({
    ...inlineQuery(deviceCommands.listOfRecord, { query: { recordId } }),
    enabled: maySee,
    refetchInterval: ({ state }) =>
      state.data?.some((command) => !isCommandOver(command.state) || isAudioOpen(command)) ? RUNNING_POLL_MS : false,
  })
  if (data.length === 0) return null
  return (
    <section>
      <Typography.Title level={5} style={{ marginTop: 0 }}>
        {t('device.commands')}
      </Typography.Title>
      <CommandTable rows={data} />
    </section>
  )
}

/** From an alarm that was handed to the police to their incident, for users who may see it. */
const IncidentLink = ({ recordId }: { recordId: number }) => {
  const { t } = useTranslation()
  const mayRead = useHasPermission('police:situation:query')
  const { data } = useQuery({ ...queryFor(situations.ofRecord, { query: { recordId } }), enabled: mayRead })
  if (!data) return null
  return (
    <Link to={`/police/situation/detail/${data.id}`}>
      {t('police.incident')} {data.no}
    </Link>
  )
}

const facts = [
  column(WarnRecordRow, 'schoolName'),
  column(WarnRecordRow, 'placePath'),
  column(WarnRecordRow, 'code', { word: 'alarmCode' }),
  column(WarnRecordRow, 'sn'),
  column(WarnRecordRow, 'ruleName'),
  column(WarnRecordRow, 'condition', {
    show: (condition, record) => <EnumLabel kind={situationKind(record.class)} value={condition} />,
  }),
  column(WarnRecordRow, 'occurrenceCount'),
  column(WarnRecordRow, 'pressCount'),
  column(WarnRecordRow, 'ownerName'),
  column(WarnRecordRow, 'validation', { word: 'validation' }),
  column(WarnRecordRow, 'resolverName'),
  column(WarnRecordRow, 'disposition', { word: 'disposition' }),
  column(WarnRecordRow, 'causeCode', { word: 'cause' }),
  column(WarnRecordRow, 'note'),
]

/** A user who claimed it before a desk had sounded was not called by the sound, which an empty field would not show. */
const NotSounded = ({ record }: { record: WarnRecordRow }) => {
  const { t } = useTranslation()
  return wasClaimedUnsounded(record) ? t('alarm.neverSounded') : '–'
}

const instants = (['firstAt', ...milestones, 'resetAt', 'shelvedUntil', 'lastAt'] as const).map((name) =>
  name === 'soundedAt'
    ? column(WarnRecordRow, name, { show: (at, record) => (at ? formatDateTime(at) : <NotSounded record={record} />) })
    : column(WarnRecordRow, name),
)

const printed = [...facts, ...instants]

const RecordTags = ({ record }: { record: WarnRecordRow }) => {
  const { t } = useTranslation()
  return (
    <Flex gap={4} wrap>
      <EnumTag kind="level" value={record.level} />
      <EnumTag kind="recordState" value={record.state} />
      <Tag>
        <EnumLabel kind="warnClass" value={record.class} />
      </Tag>
      <EnumTag kind="mode" value={record.mode} />
      {record.commissioning && <Tag color="blue">{t('alarm.commissioning')}</Tag>}
      {record.duress && <Tag color="red">{t('alarm.duress')}</Tag>}
      {record.silent && <Tag color="purple">{t('alarm.silent')}</Tag>}
      {record.late && <Tag color="orange">{t('alarm.late')}</Tag>}
      {record.presserCancelled && <Tag color="orange">{t('alarm.cancelled')}</Tag>}
      {record.placeSensitivity === 'PRIVATE' && <Tag color="purple">{t('alarm.privatePlace')}</Tag>}
    </Flex>
  )
}

const Section = ({ title, children }: { title: string; children: ReactNode }) => (
  <section>
    <Typography.Title level={5} style={{ marginTop: 0 }}>
      {title}
    </Typography.Title>
    {children}
  </section>
)

/** This panel is read-only: all verbs are at the desk, whatever the record's age or state. */
const ToDesk = ({ record }: { record: WarnRecordRow }) => {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const desk = usePathOf()('warn/desk/index')
  const person = usePerson()
  if (desk === undefined || actionStates(record, person).length === 0) return null
  return (
    <Button type="primary" onClick={() => navigate(`${desk}?id=${record.id}`)}>
      {t('desk.toDesk')}
    </Button>
  )
}

/** All data of one record. */
export const RecordPanel = ({ detail }: { detail: RecordDetail }) => {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const { record } = detail
  return (
    <Flex vertical gap="large">
      <Flex gap="small" wrap justify="space-between" align="center">
        <RecordTags record={record} />
        <Flex gap="small" wrap>
          <Button onClick={() => navigate(`/warn/replay/${record.id}`)}>{t('replay.open')}</Button>
          <RecordFiles detail={detail} columns={printed} />
          <IssueOrderButton subjectType="WARN_RECORD" subjectId={record.id} />
          <ToDesk record={record} />
        </Flex>
      </Flex>
      {record.sampled && record.state === 'CLOSED' && <Alert type="info" showIcon title={t('alarm.sampled')} />}
      <DescriptionList title={t('alarm.facts')} row={record} columns={facts} />
      <Section title={t('track.place')}>
        <PlaceViews key={record.id} record={record} />
      </Section>
      {record.escalatedAt !== null && <IncidentLink recordId={record.id} />}
      <Related detail={detail} at="record" />
      {record.code === 'OUTAGE' && (
        <Section title={t('outage.title')}>
          <OutageDevices of={{ recordId: record.id }} />
        </Section>
      )}
      <Section title={t('alarm.timeline')}>
        <Timeline log={detail.log} files={detail.attachments} />
      </Section>
      <RecordCommands recordId={record.id} />
      <SubjectDeliveries type="RECORD" id={record.id} />
      <DescriptionList title={t('alarm.times')} row={record} columns={instants} />
      <Section title={t('alarm.occurrences', { n: signalCount(detail) })}>
        <Occurrences rows={detail.occurrences} cut={detail.occurrencesCut} />
      </Section>
      <Section title={t('alarm.sightings')}>
        <DisplayLog rows={detail.sightings} />
      </Section>
    </Flex>
  )
}
