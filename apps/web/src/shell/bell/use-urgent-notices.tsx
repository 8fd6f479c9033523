import type { MyNoticeRow } from '@tocsin/contract/notices/notice'
import { Button } from 'antd'
import { useEffect, useEffectEvent, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { live } from '#api/live.ts'
import { getMessageApi } from '#ui/notify.ts'

const keyOf = (id: number) => `notice ${id}`
const timeOf = ({ publishedAt }: MyNoticeRow) => Number(publishedAt)

/**
 * Urgent notices that arrive after the page was opened pop up, and any that is pushed again while unread. They
 * disappear when revoked.
 */
export const useUrgentNotices = (unread: readonly MyNoticeRow[] | undefined, open: (id: number) => void): void => {
  const { t } = useTranslation()
  const seenUntil = useRef<number>(undefined)
  const shown = useRef(new Set<number>())
  const pop = useEffectEvent(({ id, title, publisherName }: MyNoticeRow, words: 'urgent' | 'again') => {
    const painter = getMessageApi()?.notification
    const key = keyOf(id)
    const show = () => {
      painter?.destroy(key)
      open(id)
    }
    shown.current.add(id)
    painter?.warning({
      key,
      title: t(`notice.${words}`, { title }),
      description: publisherName,
      actions: (
        <Button size="small" type="primary" onClick={show}>
          {t('notice.show')}
        </Button>
      ),
    })
  })
  useEffect(() => {
    const painter = getMessageApi()?.notification
    if (!unread || !painter) return
    const before = seenUntil.current
    seenUntil.current = Math.max(before ?? 0, ...unread.map(timeOf))
    for (const id of shown.current) {
      if (unread.some((notice) => notice.id === id)) continue
      shown.current.delete(id)
      painter.destroy(keyOf(id))
    }
    if (before === undefined) return
    for (const notice of unread) if (notice.level === 'H' && timeOf(notice) > before) pop(notice, 'urgent')
  })
  const pushed = useEffectEvent((ref: number | null, at: number) => {
    // The first event of a notice means that it was published.
    const notice = unread?.find((item) => item.id === ref && timeOf(item) < at)
    if (notice) pop(notice, 'again')
  })
  useEffect(() => live.listen('notice.published', ({ data, at }) => pushed(data.ref, at)), [])
}
