import type { MyNoticeRow } from '@tocsin/contract/system/notice'
import { Button } from 'antd'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { painting } from '#ui/notify.ts'

const keyOf = (id: number) => `notice ${id}`
const timeOf = ({ publishedAt }: MyNoticeRow) => Number(publishedAt)

/** Notices that came since the page was opened pop up when they are urgent, and go with their revocation. */
export const useUrgent = (unread: readonly MyNoticeRow[] | undefined, open: (id: number) => void): void => {
  const { t } = useTranslation()
  const seenUntil = useRef<number>(undefined)
  const shown = useRef(new Set<number>())
  useEffect(() => {
    const painter = painting()?.notification
    if (!unread || !painter) return
    const before = seenUntil.current
    seenUntil.current = Math.max(before ?? 0, ...unread.map(timeOf))
    for (const id of shown.current) {
      if (unread.some((notice) => notice.id === id)) continue
      shown.current.delete(id)
      painter.destroy(keyOf(id))
    }
    if (before === undefined) return
    for (const notice of unread.filter((one) => one.level === 'H' && timeOf(one) > before)) {
      const { id, title, publisherName } = notice
      const key = keyOf(id)
      const show = () => {
        painter.destroy(key)
        open(id)
      }
      shown.current.add(id)
      painter.warning({
        key,
        title: t('notice.urgent', { title }),
        description: publisherName,
        actions: (
          <Button size="small" type="primary" onClick={show}>
            {t('notice.show')}
          </Button>
        ),
      })
    }
  })
}
