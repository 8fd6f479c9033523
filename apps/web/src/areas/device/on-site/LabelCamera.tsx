import { Alert } from 'antd'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { parseSerialNumber } from '../install-address.ts'
import './install.css'

/** Missing in the compiler's browser types. */
type Detector = { detect: (image: ImageBitmapSource) => Promise<{ rawValue: string }[]> }
type DetectorClass = new (options: { formats: string[] }) => Detector

/** Undefined where the browser cannot read codes. */
export const createDetector = (): Detector | undefined => {
  const Class = (globalThis as { BarcodeDetector?: DetectorClass }).BarcodeDetector
  return Class && new Class({ formats: ['qr_code'] })
}

const LOOK_MS = 250

export const hasCamera = (): boolean => 'mediaDevices' in navigator

/** Scans a label by the camera; it needs a secure context and is offered only with one. */
export const LabelCamera = ({ detector, onFound }: { detector: Detector; onFound: (sn: string) => void }) => {
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
