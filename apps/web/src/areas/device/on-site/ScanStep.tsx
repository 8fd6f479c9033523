import { CameraOutlined } from '@ant-design/icons'
import { Button, Flex, Form, Input } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { parseSerialNumber } from '../install-address.ts'
import { createDetector, hasCamera, LabelCamera } from './LabelCamera.tsx'

/** Step 1: by the camera, by a photo, or by typing the number on the label. */
export const ScanStep = ({ onFound }: { onFound: (sn: string) => void }) => {
  const { t } = useTranslation()
  const [detector] = useState(createDetector)
  const [looking, setLooking] = useState(false)
  const [form] = Form.useForm<{ sn: string }>()
  const canLook = detector !== undefined && hasCamera()
  const readPhoto = async (file: File | undefined) => {
    if (!file || !detector) return
    const seen = await detector.detect(await createImageBitmap(file))
    const sn = seen.map(({ rawValue }) => parseSerialNumber(rawValue)).find(Boolean)
    if (sn) onFound(sn)
    else form.setFields([{ name: 'sn', errors: [t('device.noLabelSeen')] }])
  }
  return (
    <Flex vertical gap="middle">
      {looking && detector && <LabelCamera detector={detector} onFound={onFound} />}
      {canLook && !looking && (
        <Button type="primary" className="install-button" icon={<CameraOutlined />} onClick={() => setLooking(true)}>
          {t('device.scan')}
        </Button>
      )}
      {detector && (
        <label className="install-photo">
          {t('device.scanPhoto')}
          <input
            type="file"
            accept="image/*"
            capture="environment"
            onChange={({ target }) => void readPhoto(target.files?.[0])}
          />
        </label>
      )}
      <Form form={form} layout="vertical" onFinish={({ sn }) => onFound(parseSerialNumber(sn) ?? '')}>
        <Form.Item
          name="sn"
          label={t('device.typeSn')}
          rules={[
            {
              validator: async (_rule, value: string | undefined) => {
                if (!parseSerialNumber(value ?? '')) throw new Error(t('device.snHelp'))
              },
            },
          ]}
        >
          <Input size="large" autoCapitalize="characters" autoComplete="off" maxLength={200} />
        </Form.Item>
        <Button htmlType="submit" className="install-button" type={canLook ? 'default' : 'primary'} block>
          {t('device.next')}
        </Button>
      </Form>
    </Flex>
  )
}
