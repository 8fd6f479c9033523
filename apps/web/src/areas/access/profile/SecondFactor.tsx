import { secondFactors } from '@tocsin/contract/access/sign-in/second-factor'
import { useQuery } from '@tanstack/react-query'
import { Button, Flex, Skeleton, Tag, Typography } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { inlineQuery, useApiMutation } from '#api/query.ts'
import { AppModal } from '#ui/AppModal.tsx'
import { ErrorState } from '#ui/ErrorState.tsx'
import { notify } from '#ui/notify.ts'
import { formatDateTime } from '#ui/time.ts'
import { SecondFactorSetup } from './SecondFactorSetup.tsx'
import { OwnPassword } from './OwnPassword.tsx'

const Disable = ({ username, onClose }: { username: string; onClose: () => void }) => {
  const { t } = useTranslation()
  const disable = useApiMutation(secondFactors.disable, { fieldsInline: true })
  const send = async (password: string) => {
    await disable.mutateAsync({ body: { password } })
    notify.success(t('profile.factorDisabled'))
    onClose()
  }
  return (
    <AppModal title={t('profile.factorDisable')} footer={null} width={420} onCancel={onClose}>
      <OwnPassword
        username={username}
        help={t('profile.factorDisableHelp')}
        action={t('profile.factorDisable')}
        danger
        busy={disable.isPending}
        send={send}
      />
    </AppModal>
  )
}

/** Whether signing in asks for a code of the authenticator app, and the switch for it. */
export const SecondFactor = ({ username }: { username: string }) => {
  const { t } = useTranslation()
  const [open, setOpen] = useState<'enrol' | 'disable'>()
  const { data, error, refetch } = useQuery(inlineQuery(secondFactors.state))
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!data) return <Skeleton active paragraph={{ rows: 1 }} />
  const close = () => setOpen(undefined)
  const since = data.enabledAt
    ? t('profile.factorSince', { at: formatDateTime(data.enabledAt), n: data.recoveryLeft })
    : ''
  return (
    <Flex justify="space-between" align="center" gap="middle" className="profile-line">
      <div>
        <div>
          {t('profile.factor')}{' '}
          <Tag color={data.enabled ? 'green' : 'default'}>
            {t(data.enabled ? 'profile.factorOn' : 'profile.factorOff')}
          </Tag>
        </div>
        <Typography.Text type="secondary">{data.enabled ? since : t('profile.factorHelp')}</Typography.Text>
      </div>
      <Button onClick={() => setOpen(data.enabled ? 'disable' : 'enrol')}>
        {t(data.enabled ? 'profile.factorDisable' : 'profile.factorEnable')}
      </Button>
      {open === 'enrol' && <SecondFactorSetup username={username} onClose={close} />}
      {open === 'disable' && <Disable username={username} onClose={close} />}
    </Flex>
  )
}
