import { Alert, Button, Descriptions, Flex, Typography } from 'antd'
import { useTranslation } from 'react-i18next'
import { AppModal } from '#ui/AppModal.tsx'
import { CopyButton } from '#ui/copy/CopyButton.tsx'

export type NewCredentials = { username: string; password: string }

/** The password to hand over to the user. The server stores no readable password. */
export const OneTimePassword = ({ of, onClose }: { of: NewCredentials; onClose: () => void }) => {
  const { t } = useTranslation()
  return (
    <AppModal
      title={t('user.handOver')}
      onCancel={onClose}
      // Closing by mistake would lose it.
      mask={{ closable: false }}
      keyboard={false}
      footer={
        <Button type="primary" onClick={onClose}>
          {t('user.noted')}
        </Button>
      }
    >
      <Flex vertical gap="middle">
        <Alert type="warning" showIcon title={t('user.shownOnce')} />
        <Descriptions
          bordered
          column={1}
          size="small"
          items={[
            { key: 'username', label: t('user.username'), children: of.username },
            {
              key: 'password',
              label: t('user.password'),
              children: (
                <>
                  <Typography.Text code>{of.password}</Typography.Text>
                  <CopyButton text={of.password} />
                </>
              ),
            },
          ]}
        />
      </Flex>
    </AppModal>
  )
}
