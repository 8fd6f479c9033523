import type { DeviceSecret } from '@tocsin/contract/device/device-verbs'
import { Alert, Button, Checkbox, Flex, Typography } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { AppModal } from '#ui/AppModal.tsx'
import { CopyButton } from '#ui/copy/CopyButton.tsx'

/** Shows a secret once: it closes only after the user confirmed that it is stored. */
export const SecretDialog = ({ made, onClose }: { made: DeviceSecret; onClose: () => void }) => {
  const { t } = useTranslation()
  const [saved, setSaved] = useState(false)
  return (
    <AppModal
      title={t('device.secretOf', { sn: made.sn })}
      closable={false}
      footer={
        <Button type="primary" disabled={!saved} onClick={onClose}>
          {t('device.done')}
        </Button>
      }
    >
      <Flex vertical gap="middle">
        <Alert type="warning" showIcon title={t('device.secretOnce')} />
        <Flex gap="small" align="center" wrap>
          <Typography.Text code style={{ overflowWrap: 'anywhere' }}>
            {made.secret}
          </Typography.Text>
          <CopyButton text={made.secret} label={t('device.copySecret')} />
        </Flex>
        <Checkbox checked={saved} onChange={({ target }) => setSaved(target.checked)}>
          {t('device.secretSaved')}
        </Checkbox>
      </Flex>
    </AppModal>
  )
}
