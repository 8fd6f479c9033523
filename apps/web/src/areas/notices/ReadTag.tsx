import { Tag } from 'antd'
import { useTranslation } from 'react-i18next'
import { formatDateTime } from '#ui/time.ts'

/** Whether it was read, and when. */
export const ReadTag = ({ at }: { at: Date | null }) => {
  const { t } = useTranslation()
  return (
    <Tag color={at ? 'default' : 'blue'} style={{ marginInlineEnd: 0 }} {...(at && { title: formatDateTime(at) })}>
      {t(at ? 'notice.read' : 'notice.unread')}
    </Tag>
  )
}
