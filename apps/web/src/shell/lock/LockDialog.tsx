import { useMutation } from '@tanstack/react-query'
import { Button, Form, Input } from 'antd'
import { useTranslation } from 'react-i18next'
import { AppModal } from '#ui/AppModal.tsx'
import { lockSession } from './lock.ts'

/** Asks for a password of the lock, which may stay empty. */
export const LockDialog = ({ onClose }: { onClose: () => void }) => {
  const { t } = useTranslation()
  const lock = useMutation({ mutationFn: lockSession, onSuccess: onClose })
  return (
    <AppModal title={t('lock.title')} onCancel={onClose} footer={null} width={420}>
      <Form
        name="lock"
        layout="vertical"
        requiredMark={false}
        onFinish={({ password = '' }: { password?: string }) => lock.mutate(password)}
      >
        <Form.Item name="password" label={t('lock.own')} extra={t('lock.ownHelp')}>
          <Input.Password autoFocus autoComplete="off" maxLength={200} />
        </Form.Item>
        <Button block type="primary" htmlType="submit" loading={lock.isPending}>
          {t('lock.lock')}
        </Button>
      </Form>
    </AppModal>
  )
}
