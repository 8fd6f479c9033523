import type { RecordDetail } from '@tocsin/contract/alarm/records'
import { openStates } from '@tocsin/contract/alarm/state-machine'
import { type Track, tracks as trackCalls } from '@tocsin/contract/alarm/track'
import { deliveries } from '@tocsin/contract/notify/delivery'
import { useQuery } from '@tanstack/react-query'
import { Alert, Flex, Typography, Button, Tag } from 'antd'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import { inlineQuery } from '#api/query.ts'
import { useHasPermission } from '#api/session.ts'
import { usePageTitle } from '#shell/page-title.ts'
import { enumLabel } from '#texts/enum-labels.ts'
import { useLang } from '#texts/i18n.ts'
import { EnumTag } from '#ui/EnumTag.tsx'
import { lazyComponent } from '#ui/lazy/lazy-component.tsx'
import { displayableData, QueryResult } from '#ui/result/QueryResult.tsx'
import { formatDateTime, formatTime } from '#ui/time.ts'
import { EventTimeline, type TimelineEvent } from '#ui/workflow/EventTimeline.tsx'
import { WorkflowPage } from '#ui/workflow/WorkflowPage.tsx'
import { formatPlace } from '../desk/format-place.ts'
import { TrackPlayer } from '../map/TrackPlayer.tsx'
import { toLogEvent } from '../record/Timeline.tsx'
import { EvidenceButton } from '../record/print/EvidenceButton.tsx'
import { useRecord } from '../record/use-record.ts'
import {
  type DeliveryEvent,
  findReplayPeriod,
  findStateAt,
  listDeliveryEvents,
  listMoments,
  listSeatEvents,
  listMilestones,
  listSeatStates,
  type SeatState,
} from './replay-events.ts'
import { WarnRecordRow } from '@tocsin/contract/alarm/record'
import { labelIn } from '@tocsin/contract/field'
import { EyeInvisibleOutlined, EyeOutlined, SoundOutlined } from '@ant-design/icons'

const wordOf = ({ isDisplayed, isSounded }: SeatState) => {
  if (isDisplayed) return isSounded ? 'replay.seatBoth' : 'replay.seatShown'
  return isSounded ? 'replay.seatSounded' : 'replay.seatNothing'
}
const iconOf = ({ isDisplayed, isSounded }: SeatState) => {
  if (isSounded) return <SoundOutlined />
  return isDisplayed ? <EyeOutlined /> : <EyeInvisibleOutlined />
}

/** What each seat had displayed and sounded at the moment. */
const SeatStates = ({ sightings, at }: { sightings: RecordDetail['sightings']; at: number }) => {
  const { t } = useTranslation()
  const seats = listSeatStates(sightings, at)
  return (
    <Flex gap="small" wrap align="center" role="group" aria-label={t('replay.seats')}>
      <Typography.Text strong>{t('replay.seats')}</Typography.Text>
      {seats.length === 0 && <Typography.Text type="secondary">{t('alarm.noSightings')}</Typography.Text>}
      {seats.map((seat) => (
        <Tag key={seat.sessionId} icon={iconOf(seat)} {...(seat.isDisplayed && { color: 'processing' })}>
          {t(wordOf(seat), { name: seat.userName })}
        </Tag>
      ))}
    </Flex>
  )
}

type Props = { record: WarnRecordRow; at: number; onMove: (at: number) => void }

/** The milestones that were reached; each leads to its moment. */
const MilestoneChips = ({ record, at, onMove }: Props) => {
  const { t } = useTranslation()
  const lang = useLang()
  const reached = useMemo(() => listMilestones(record), [record])
  return (
    <Flex gap="small" wrap role="group" aria-label={t('replay.milestones')}>
      {reached.map(({ name, at: when }) => (
        <Button key={name} size="small" type={when <= at ? 'default' : 'dashed'} onClick={() => onMove(when)}>
          {labelIn(lang, WarnRecordRow.shape[name])} {formatTime(when)}
        </Button>
      ))}
    </Flex>
  )
}

const PlacePlan = lazyComponent(async () => (await import('#ui/plan/PlacePlan.tsx')).PlacePlan)
const ReplayMap = lazyComponent(async () => (await import('./ReplayMap.tsx')).ReplayMap)

const PLAN_HEIGHT = 320
/** The most that one page of deliveries has. */
const MAX_MESSAGES = 200
const speeds = [1, 4, 16, 60] as const
const noTracks: readonly Track[] = []
const noMessages: readonly DeliveryEvent[] = []

/** The log, the messages and what the seats showed until a moment, the newest first. */
const useEvents = (detail: RecordDetail, messages: readonly DeliveryEvent[], at: number): TimelineEvent[] => {
  const { t } = useTranslation()
  const lang = useLang()
  const all = useMemo(() => {
    const sent = messages.map(
      ({ id, step, at: when, recipientName, channel }): TimelineEvent => ({
        key: `delivery-${id}-${step}`,
        at: when,
        who: recipientName,
        what: `${enumLabel('deliveryChannel', channel, lang)} · ${t(`replay.${step}`)}`,
        color: 'cyan',
      }),
    )
    const logged = detail.log.map((entry) => toLogEvent(entry, detail.attachments, lang))
    const seen = listSeatEvents(detail.sightings).map(
      ({ sessionId, step, at: when, userName }): TimelineEvent => ({
        key: `seat-${sessionId}-${step}`,
        at: when,
        who: userName,
        what: t(step === 'displayedAt' ? 'replay.displayed' : 'replay.sounded'),
        color: 'gray',
      }),
    )
    return [...logged, ...sent, ...seen].toSorted((left, right) => Number(right.at) - Number(left.at))
  }, [detail, messages, lang, t])
  return all.filter((event) => Number(event.at) <= at)
}

type ReplayProps = { detail: RecordDetail; tracks: readonly Track[]; messages: readonly DeliveryEvent[] }

const Replay = ({ detail, tracks, messages }: ReplayProps) => {
  const { t } = useTranslation()
  const { record } = detail
  const canPlan = useHasPermission('school:place:query')
  const around = useQuery(inlineQuery(trackCalls.surroundings, { query: { recordId: record.id } }))
  const period = useMemo(() => findReplayPeriod({ detail, messages, tracks }), [detail, messages, tracks])
  const marks = useMemo(() => listMoments({ detail, messages }), [detail, messages])
  const [moment, setMoment] = useState(period.from)
  const at = Math.min(Math.max(moment, period.from), period.to)
  const events = useEvents(detail, messages, at)
  const state = findStateAt(detail, at)
  const isOpen = (openStates as readonly string[]).includes(state)
  return (
    <WorkflowPage
      title={t('replay.title', { no: record.no })}
      tags={<EnumTag kind="recordState" value={state} />}
      subtitle={formatDateTime(at)}
      actions={<EvidenceButton recordId={record.id} />}
    >
      <Flex vertical gap="middle">
        <TrackPlayer
          span={period}
          at={at}
          onMove={(next) => setMoment(next ?? period.to)}
          isLive={false}
          speeds={speeds}
          marks={marks}
          hasKeys
        />
        <MilestoneChips record={record} at={at} onMove={setMoment} />
        <Typography.Text type="secondary">{t('replay.keys')}</Typography.Text>
        <SeatStates sightings={detail.sightings} at={at} />
        <QueryResult query={around}>
          {(data) => <ReplayMap record={record} around={data} tracks={tracks} at={at} isOpen={isOpen} />}
        </QueryResult>
        {canPlan && record.placeId !== null && (
          <PlacePlan placeId={record.placeId} path={formatPlace(record)} height={PLAN_HEIGHT} />
        )}
        <section>
          <Typography.Title level={5}>{t('replay.events', { n: events.length })}</Typography.Title>
          <EventTimeline events={events} />
        </section>
      </Flex>
    </WorkflowPage>
  )
}

const Loaded = ({ detail }: { detail: RecordDetail }) => {
  const { t } = useTranslation()
  const { id } = detail.record
  const canTrack = useHasPermission('warn:record:track')
  const canReadDeliveries = useHasPermission('notify:delivery:query')
  const tracks = useQuery({ ...inlineQuery(trackCalls.list, { query: { recordId: id } }), enabled: canTrack })
  const sent = useQuery({
    ...inlineQuery(deliveries.page, { query: { subjectType: ['RECORD'], subjectId: id, pageSize: MAX_MESSAGES } }),
    enabled: canReadDeliveries,
  })
  const page = displayableData(sent)
  const messages = useMemo(() => (page ? listDeliveryEvents(page.list) : noMessages), [page])
  return (
    <>
      {(tracks.error ?? sent.error) && <Alert type="warning" showIcon title={t('replay.incomplete')} />}
      {page && page.total > page.list.length && (
        <Alert type="info" showIcon title={t('replay.messagesCut', { n: page.list.length })} />
      )}
      <Replay detail={detail} tracks={displayableData(tracks) ?? noTracks} messages={messages} />
    </>
  )
}

/** A record played back: its log, messages and tracks on one line of time. */
export const ReplayPage = () => {
  const { id } = useParams()
  const { t } = useTranslation()
  const query = useRecord(Number(id))
  const no = displayableData(query)?.record.no
  const name = no && t('replay.title', { no })
  usePageTitle(name ? { name, nameEn: name } : undefined)
  return <QueryResult query={query}>{(detail) => <Loaded detail={detail} />}</QueryResult>
}
