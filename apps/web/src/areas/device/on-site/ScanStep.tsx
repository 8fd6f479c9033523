import { CameraOutlined } from '@ant-design/icons'
import { Alert, Button, Flex, Form, Input } from 'antd'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { parseSerialNumber } from '../install-address.ts'

/** Not yet in the compiler's list of browser types. */
type Detector = { detect: (image: ImageBitmapSource) => Promise<{ rawValue: string }[]> }
type DetectorClass = new (options: { formats: string[] }) => Detector

const createDetector = (): Detector | undefined => {
  const Class = (globalThis as { BarcodeDetector?: DetectorClass }).BarcodeDetector
  return Class && new Class({ formats: ['qr_code'] })
}

const LOOK_MS = 250

/** The camera, until it sees a label; it needs a secure context and is offered only where there is one. */
const Camera = ({ detector, onFound }: { detector: Detector; onFound: (sn: string) => void }) => {
  const { t } = useTranslation()
  const video = useRef<HTMLVideoElement>(null)
  const [failed, setFailed] = useState(false)
  useEffect(() => {
    let stream: MediaStream | undefined
    let timer: ReturnType<typeof setTimeout> | undefined
    let here = true
    const look = async () => {
      const seen = video.current?.videoWidth ? await detector.detect(video.current).catch(() => []) : []
      const sn = seen.map(({ rawValue }) => parseSerialNumber(rawValue)).find(Boolean)
      if (!here) return
      if (sn) onFound(sn)
      else timer = setTimeout(() => void look(), LOOK_MS)
    }
    const open = async () => {
      stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: 'environment' } })
      if (!here || !video.current) return stream.getTracks().forEach((track) => track.stop())
      video.current.srcObject = stream
      await video.current.play()
      await look()
    }
    open().catch(() => here && setFailed(true))
    return () => {
      here = false
      clearTimeout(timer)
      for (const track of stream?.getTracks() ?? []) track.stop()
    }
  }, [detector, onFound])
  if (failed) return <Alert type="warning" showIcon title={t('device.noCamera')} />
  return <video ref={video} muted playsInline className="install-video" aria-label={t('device.viewfinder')} />
}

/** Step 1: by the camera, by a photo, or by typing the number on the label. */
export const ScanStep = ({ onFound }: { onFound: (sn: string) => void }) => {
  const { t } = useTranslation()
  const [detector] = useState(createDetector)
  const [looking, setLooking] = useState(false)
  const [form] = Form.useForm<{ sn: string }>()
  const hasCamera = detector !== undefined && 'mediaDevices' in navigator
  const readPhoto = async (file: File | undefined) => {
    if (!file || !detector) return
    const seen = await detector.detect(await createImageBitmap(file))
    const sn = seen.map(({ rawValue }) => parseSerialNumber(rawValue)).find(Boolean)
    if (sn) onFound(sn)
    else form.setFields([{ name: 'sn', errors: [t('device.noLabelSeen')] }])
  }
  return (
    <Flex vertical gap="middle">
      {looking && detector && <Camera detector={detector} onFound={onFound} />}
      {hasCamera && !looking && (
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
        <Button htmlType="submit" className="install-button" type={hasCamera ? 'default' : 'primary'} block>
          {t('device.next')}
        </Button>
      </Form>
    </Flex>
  )
}
