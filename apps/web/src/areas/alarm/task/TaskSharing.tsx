import { AimOutlined } from '@ant-design/icons'
import { Alert, Button, Flex } from 'antd'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { formatTime } from '#ui/time.ts'
import { startSharing, stopSharing, useSharing } from './use-sharing.ts'

/** The mark that the position is shown to the desk, on every view of the tasks; it ends with the task. */
export const SharingMark = ({ openIds }: { openIds: readonly number[] | undefined }) => {
  const { t } = useTranslation()
  const { taskId, sentAt, unsent, trouble } = useSharing()
  const isOver = taskId !== undefined && openIds !== undefined && !openIds.includes(taskId)
  useEffect(() => {
    if (isOver) stopSharing()
  }, [isOver])
  // Without the mark nobody would see that it goes on: it ends when this page is left.
  useEffect(() => stopSharing, [])
  if (taskId === undefined) return null
  const state = trouble
    ? t(`track.${trouble}`)
    : unsent > 0
      ? t('track.unsent', { n: unsent })
      : sentAt
        ? t('track.sentAt', { time: formatTime(sentAt) })
        : t('track.waiting')
  return (
    <Alert
      type={trouble || unsent > 0 ? 'warning' : 'info'}
      showIcon
      icon={<AimOutlined />}
      role="status"
      title={t('track.sharing')}
      description={state}
      action={
        <Button className="task-touch" onClick={stopSharing}>
          {t('track.stop')}
        </Button>
      }
    />
  )
}

/** Asks for the position of the phone during this task. */
export const ShareRequest = ({ taskId }: { taskId: number }) => {
  const { t } = useTranslation()
  const sharing = useSharing()
  if (sharing.taskId === taskId) return null
  return (
    <Flex vertical gap="small">
      <Button className="task-call" icon={<AimOutlined />} onClick={() => startSharing(taskId)}>
        {t('track.share')}
      </Button>
      <span className="task-minor">{t(sharing.taskId === undefined ? 'track.shareHelp' : 'track.sharingOther')}</span>
      {sharing.taskId === undefined && sharing.trouble && (
        <Alert type="warning" showIcon role="status" title={t(`track.${sharing.trouble}`)} />
      )}
    </Flex>
  )
}
