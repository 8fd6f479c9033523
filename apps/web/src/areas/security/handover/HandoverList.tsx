import { type HandoverItem, type HandoverItemKind, type HandoverSummary } from '@tocsin/contract/security/handover'
import { Flex, Typography } from 'antd'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useHasPermission } from '#api/session.ts'
import { EnumLabel, EnumTag } from '#ui/EnumTag.tsx'
import { formatDateTime } from '#ui/time.ts'
import { ToneTag } from '#ui/tone/ToneTag.tsx'

const timeText = (at: Date) => formatDateTime(at).slice(5, 16)

/** Where an item can be opened, with the permission for it. */
const pages: Partial<Record<HandoverItemKind, { permission: string; path: (item: HandoverItem) => string }>> = {
  RECORD: { permission: 'warn:record:query', path: ({ no }) => `/warn/record?keyword=${no}` },
  SHELVED: { permission: 'warn:record:query', path: ({ no }) => `/warn/record?keyword=${no}` },
  FAULT: { permission: 'device:maintenance:query', path: ({ refId }) => `/device/maintenance/${refId}` },
  OFFLINE: { permission: 'device:device:query', path: ({ refId }) => `/device/detail/${refId}` },
}

type ItemPage = NonNullable<(typeof pages)[HandoverItemKind]>

const ItemLink = ({ item, page }: { item: HandoverItem; page: ItemPage }) => {
  const mayOpen = useHasPermission(page.permission)
  return mayOpen ? <Link to={page.path(item)}>{item.no}</Link> : <b>{item.no}</b>
}

const ItemName = ({ item }: { item: HandoverItem }) => {
  const page = pages[item.kind]
  if (!item.no) return null
  return page ? <ItemLink item={item} page={page} /> : <b>{item.no}</b>
}

const Item = ({ item, isOpen }: { item: HandoverItem; isOpen: boolean }) => {
  const { t } = useTranslation()
  const { level, schoolName, place, at, until, ownerName, needsOwner } = item
  return (
    <li className="handover-item">
      {level !== null && <EnumTag kind="level" value={level} />}
      <ItemName item={item} />
      <span>{[schoolName, place].filter(Boolean).join(' · ')}</span>
      <Typography.Text type="secondary">
        {until ? `${timeText(at)} – ${timeText(until)}` : timeText(at)}
      </Typography.Text>
      {ownerName && <span>{t('handover.owner', { name: ownerName })}</span>}
      {isOpen && needsOwner && (
        <ToneTag tone="wait">{t(ownerName ? 'handover.ownerLeaves' : 'handover.noOwner')}</ToneTag>
      )}
    </li>
  )
}

/** What is open, by kind; kinds without anything are named in one line. */
export const HandoverList = ({ summary, isOpen }: { summary: HandoverSummary; isOpen: boolean }) => {
  const { t } = useTranslation()
  const full = summary.counts.filter(({ count }) => count > 0)
  const empty = summary.counts.filter(({ count }) => count === 0)
  return (
    <Flex vertical gap="middle">
      {full.map(({ kind, count }) => {
        const items = summary.items.filter((item) => item.kind === kind)
        return (
          <section key={kind}>
            <Typography.Title level={5}>
              <EnumLabel kind="handoverItem" value={kind} /> {count}
            </Typography.Title>
            <ul className="handover-items">
              {items.map((item) => (
                <Item
                  key={`${item.refId ?? ''} ${item.no} ${item.schoolName} ${item.at.getTime()}`}
                  item={item}
                  isOpen={isOpen}
                />
              ))}
            </ul>
            {count > items.length && (
              <Typography.Text type="secondary">{t('handover.more', { n: count - items.length })}</Typography.Text>
            )}
          </section>
        )
      })}
      {empty.length > 0 && (
        <Typography.Text type="secondary">
          {t('handover.nothing')}{' '}
          {empty.map(({ kind }, at) => (
            <span key={kind}>
              {at > 0 && ' · '}
              <EnumLabel kind="handoverItem" value={kind} />
            </span>
          ))}
        </Typography.Text>
      )}
    </Flex>
  )
}
