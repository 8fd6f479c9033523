import { securityPosts } from '@tocsin/contract/security/post'
import { Typography } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useApiMutation } from '#api/query.ts'
import { AppModal } from '#ui/AppModal.tsx'
import { notify } from '#ui/notify.ts'
import { SchoolSelect } from '#ui/SchoolSelect.tsx'

/** Creates what a school lacks by its rule. */
export const GenerateDialog = ({ onClose }: { onClose: () => void }) => {
  const { t } = useTranslation()
  const [schoolId, setSchoolId] = useState<number>()
  const { mutate, isPending } = useApiMutation(securityPosts.generate)
  const generate = () => {
    if (schoolId === undefined) return
    mutate(
      { body: { schoolId } },
      {
        onSuccess: (n) => {
          notify.success(t('duty.generated', { n }))
          onClose()
        },
      },
    )
  }
  return (
    <AppModal
      title={t('duty.generate')}
      okText={t('duty.generate')}
      okButtonProps={{ loading: isPending, disabled: schoolId === undefined }}
      cancelText={t('list.cancel')}
      onOk={generate}
      onCancel={onClose}
    >
      <Typography.Paragraph>{t('duty.generateAsk')}</Typography.Paragraph>
      <SchoolSelect
        onChange={(id) => setSchoolId(id)}
        placeholder={t('list.choose')}
        aria-label={t('duty.generateAsk')}
        style={{ width: '100%' }}
      />
    </AppModal>
  )
}
