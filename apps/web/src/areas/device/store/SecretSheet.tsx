import type { DeviceSecret } from '@tocsin/contract/device/device-verbs'
import { PrinterOutlined } from '@ant-design/icons'
import { Alert, Button, Checkbox, Flex } from 'antd'
import { useState } from 'react'
import { createPortal } from 'react-dom'
import { useTranslation } from 'react-i18next'
import { AppModal } from '#ui/AppModal.tsx'
import { formatDateTime } from '#ui/time.ts'
import './secrets.css'

const Rows = ({ made }: { made: readonly DeviceSecret[] }) => {
  const { t } = useTranslation()
  return (
    <table className="secret-table">
      <thead>
        <tr>
          <th scope="col">{t('device.sn')}</th>
          <th scope="col">{t('device.secret')}</th>
        </tr>
      </thead>
      <tbody>
        {made.map(({ id, sn, secret }) => (
          <tr key={id}>
            <td className="device-sn">{sn}</td>
            <td className="device-sn">{secret}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** The sheet alone goes to the printer: beside the application, which the print style hides. */
const PrintedSheet = ({ made }: { made: readonly DeviceSecret[] }) => {
  const { t } = useTranslation()
  const [at] = useState(() => new Date())
  return createPortal(
    <div className="secret-print">
      <h1>{t('device.secretSheet', { n: made.length })}</h1>
      <p>{t('device.secretSeal', { at: formatDateTime(at) })}</p>
      <Rows made={made} />
    </div>,
    document.body,
  )
}

/** The one time that the secrets of a batch are shown: printed and sealed, or kept otherwise. */
export const SecretSheet = ({ made, onClose }: { made: readonly DeviceSecret[]; onClose: () => void }) => {
  const { t } = useTranslation()
  const [saved, setSaved] = useState(false)
  return (
    <AppModal
      title={t('device.secretSheet', { n: made.length })}
      closable={false}
      width={640}
      footer={
        <Button disabled={!saved} onClick={onClose}>
          {t('device.done')}
        </Button>
      }
    >
      <Flex vertical gap="middle">
        <Alert type="warning" showIcon title={t('device.secretsOnce')} />
        <div className="secret-list">
          <Rows made={made} />
        </div>
        <Flex gap="middle" align="center" wrap>
          <Button type="primary" icon={<PrinterOutlined />} onClick={() => window.print()}>
            {t('device.print')}
          </Button>
          <Checkbox checked={saved} onChange={({ target }) => setSaved(target.checked)}>
            {t('device.secretSaved')}
          </Checkbox>
        </Flex>
      </Flex>
      <PrintedSheet made={made} />
    </AppModal>
  )
}
