import { Flex, Input, Select, Typography } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { AppModal } from '#ui/AppModal.tsx'
import type { WeekOwner } from './list-owners.ts'

type Props = {
  title: string
  owners: readonly WeekOwner[]
  /** Whether a reason for gaps may be given. */
  asksReason: boolean
  isBusy: boolean
  onConfirm: (owner: WeekOwner, reason: string) => void
  onClose: () => void
}

/** Asks whose week it is; the only one in the calendar is chosen at first. */
export const OwnerWeekDialog = ({ title, owners, asksReason, isBusy, onConfirm, onClose }: Props) => {
  const { t } = useTranslation()
  const [key, setKey] = useState(owners.length === 1 ? owners[0]?.key : undefined)
  const [reason, setReason] = useState('')
  const owner = owners.find((item) => item.key === key)
  return (
    <AppModal
      title={title}
      okText={t('list.confirm')}
      okButtonProps={{ loading: isBusy, disabled: !owner }}
      cancelText={t('list.cancel')}
      onOk={() => owner && onConfirm(owner, reason.trim())}
      onCancel={onClose}
    >
      <Flex vertical gap="small">
        <Select
          {...(key !== undefined && { value: key })}
          aria-label={t('duty.weekOwner')}
          placeholder={t('duty.weekOwner')}
          options={owners.map(({ key: value, ownerName }) => ({ value, label: ownerName }))}
          showSearch={{ optionFilterProp: 'label' }}
          onChange={setKey}
        />
        <Typography.Text type="secondary">{t('duty.weekOwnerHelp')}</Typography.Text>
        {asksReason && (
          <Input
            value={reason}
            maxLength={200}
            aria-label={t('duty.publishGap')}
            placeholder={t('duty.publishGap')}
            onChange={({ target }) => setReason(target.value)}
            onPressEnter={() => owner && onConfirm(owner, reason.trim())}
          />
        )}
      </Flex>
    </AppModal>
  )
}
