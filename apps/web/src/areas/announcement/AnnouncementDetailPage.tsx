import { AnnouncementDetail } from '@tocsin/contract/announcement/announcement'
import { announcements } from '@tocsin/contract/announcement/announcement-calls'
import {
  announcementRule,
  type AnnouncementVerb,
  announcementVerbs,
  whyNotAnnouncement,
} from '@tocsin/contract/announcement/announcement-machine'
import { useQuery } from '@tanstack/react-query'
import { Card, Flex, Typography } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate, useParams } from 'react-router'
import { inlineQuery } from '#api/query.ts'
import { useSession } from '#api/session.ts'
import { usePageTitle } from '#shell/page-title.ts'
import { enumLabel } from '#texts/enum-labels.ts'
import { useLang } from '#texts/i18n.ts'
import { AttachmentList } from '#ui/attachment/AttachmentList.tsx'
import { YesNoText } from '#ui/cell/YesNoText.tsx'
import { column } from '#ui/column.tsx'
import { DescriptionList } from '#ui/DescriptionList.tsx'
import { QueryResult } from '#ui/result/QueryResult.tsx'
import { RichText } from '#ui/rich/RichText.tsx'
import { EventTimeline } from '#ui/workflow/EventTimeline.tsx'
import { VerbButtons } from '#ui/workflow/VerbButtons.tsx'
import { WorkflowPage } from '#ui/workflow/WorkflowPage.tsx'
import { formatActor } from '#ui/workflow/format-actor.ts'
import { AnnouncementVerbDialog, type DialogVerb } from './AnnouncementVerbDialog.tsx'
import { ReceiptBar, ScopeText, StateTags } from './announcement-columns.tsx'
import { ReceiptCard } from './ReceiptCard.tsx'
import './announcement.css'

/** Links to files last ten minutes. */
const POLL_MS = 300_000

const scopeOf = (row: AnnouncementDetail) => [...row.deptNames, ...row.schoolNames, ...row.roleNames].join('、')

const facts = [
  column(AnnouncementDetail, 'target', {
    show: (target, row) => (target === 'ALL' ? <ScopeText {...row} /> : scopeOf(row)),
  }),
  column(AnnouncementDetail, 'audience', {
    title: (lang) => (lang === 'en' ? 'Read/signed/addressed' : '已读/已签收/应收'),
    show: (_, row) => <ReceiptBar {...row} />,
  }),
  column(AnnouncementDetail, 'deptName'),
  column(AnnouncementDetail, 'authorName'),
  column(AnnouncementDetail, 'reviewerName'),
  column(AnnouncementDetail, 'publishAt'),
  column(AnnouncementDetail, 'publishedAt'),
  column(AnnouncementDetail, 'validUntil'),
  column(AnnouncementDetail, 'pinned', { show: (pinned) => <YesNoText yes={pinned} /> }),
  column(AnnouncementDetail, 'needsSign', { show: (needsSign) => <YesNoText yes={needsSign} /> }),
]

const Verbs = ({ row }: { row: AnnouncementDetail }) => {
  const { t } = useTranslation()
  const lang = useLang()
  const navigate = useNavigate()
  const [asking, setAsking] = useState<DialogVerb>()
  const permissions = useSession(({ permissions: held }) => held)
  const userId = useSession(({ user }) => user?.id ?? 0)
  const allowed = announcementVerbs.filter(
    (verb) => permissions.has(announcementRule(verb).permission) && whyNotAnnouncement(verb, row, userId) === undefined,
  )
  const edit = () => void navigate(`/announcement/form?id=${row.id}`)
  const run = (verb: AnnouncementVerb) => (verb === 'revise' ? edit() : setAsking(verb))
  const copy = () => void navigate(`/announcement/form?copy=${row.id}`)
  const mayCopy = permissions.has('announcement:announcement:create')
  const mayEdit = row.state === 'DRAFT' && permissions.has('announcement:announcement:update')
  return (
    <>
      <VerbButtons
        verbs={[
          ...allowed.map((verb) => ({
            key: verb,
            label: enumLabel('announcementVerb', verb, lang),
            run: () => run(verb),
            danger: verb === 'withdraw',
          })),
          ...(mayEdit ? [{ key: 'edit', label: t('list.edit'), run: edit }] : []),
          ...(mayCopy ? [{ key: 'copy', label: t('announcement.copy'), run: copy }] : []),
        ]}
      />
      {asking && (
        <AnnouncementVerbDialog verb={asking} row={row} people={row.reach} onClose={() => setAsking(undefined)} />
      )}
    </>
  )
}

const AnnouncementTimeline = ({ log }: Pick<AnnouncementDetail, 'log'>) => {
  const { t } = useTranslation()
  const lang = useLang()
  return (
    <EventTimeline
      events={log.map(({ id, at, userName, userAccount, verb, text }) => ({
        key: id,
        at,
        who: formatActor({ actorName: userName, actorAccount: userAccount }),
        what: enumLabel('announcementLogVerb', verb, lang),
        note: verb === 'remind' ? t('announcement.reminded', { n: text ?? '' }) : text,
      }))}
    />
  )
}

const Detail = ({ row }: { row: AnnouncementDetail }) => {
  const { t } = useTranslation()
  const { revision } = row
  return (
    <WorkflowPage
      title={row.title}
      tags={<StateTags row={row} />}
      {...(row.edition > 1 && { subtitle: t('announcement.editionOf', { n: row.edition }) })}
      actions={<Verbs row={row} />}
      timeline={<AnnouncementTimeline log={row.log} />}
    >
      <Flex vertical gap="middle">
        {revision && (
          <Card size="small" title={t('announcement.revisionOf', { n: row.edition })}>
            <Typography.Title level={5}>{revision.title}</Typography.Title>
            <RichText html={revision.content} />
            <AttachmentList attachments={revision.attachments} />
          </Card>
        )}
        <RichText html={row.content} />
        <AttachmentList attachments={row.attachments} />
        <DescriptionList row={row} columns={facts} />
        {row.withdrawReason && <DescriptionList row={row} columns={[column(AnnouncementDetail, 'withdrawReason')]} />}
        {row.edition > 0 && <ReceiptCard row={row} />}
      </Flex>
    </WorkflowPage>
  )
}

/** One announcement for those who write, review and publish it. */
export const AnnouncementDetailPage = () => {
  const { id } = useParams()
  const query = useQuery({
    ...inlineQuery(announcements.get, { query: { id: Number(id) } }),
    refetchInterval: POLL_MS,
  })
  const title = query.data?.title
  usePageTitle(title ? { name: title, nameEn: title } : undefined)
  return <QueryResult query={query}>{(row) => <Detail row={row} />}</QueryResult>
}
