import { MinusOutlined, PlusOutlined, RotateRightOutlined, SwapOutlined } from '@ant-design/icons'
import { Button, Flex, Slider } from 'antd'
import { useEffect, useMemo, useRef, useState } from 'react'
import Cropper, { type Area } from 'react-easy-crop'
import { useTranslation } from 'react-i18next'
import { AppModal } from '#ui/AppModal.tsx'
import { notify } from '#ui/notify.ts'
import { cropToFile, type ImageTransform, drawCrop } from './crop.ts'
import './upload.css'

const MAX_ZOOM = 4
const STEP = 0.1
/** Pixels by which an arrow key moves the picture. */
const ARROW = 4

type Props = {
  file: File
  /** Uploads the cropped square; the dialog stays open until success. */
  onDone: (square: File) => Promise<unknown>
  onClose: () => void
}

const useAddress = (file: File): string => {
  const url = useMemo(() => URL.createObjectURL(file), [file])
  useEffect(() => () => URL.revokeObjectURL(url), [url])
  return url
}

const Zoom = ({ value, onChange }: { value: number; onChange: (zoom: number) => void }) => {
  const { t } = useTranslation()
  const to = (zoom: number) => onChange(Math.min(MAX_ZOOM, Math.max(1, Math.round(zoom * 10) / 10)))
  return (
    <>
      <Button icon={<MinusOutlined />} aria-label={t('upload.smaller')} onClick={() => to(value - STEP)} />
      <Slider
        className="crop-zoom"
        min={1}
        max={MAX_ZOOM}
        step={STEP}
        value={value}
        onChange={to}
        tooltip={{ open: false }}
        ariaLabelForHandle={t('upload.zoom')}
      />
      <Button icon={<PlusOutlined />} aria-label={t('upload.larger')} onClick={() => to(value + STEP)} />
    </>
  )
}

type PreviewProps = { url: string; area: Area | undefined; lie: ImageTransform }

/** Preview of the cropped picture. */
const Preview = ({ url, area, lie }: PreviewProps) => {
  const { t } = useTranslation()
  const canvas = useRef<HTMLCanvasElement>(null)
  useEffect(() => {
    // The cropper reports a picture that cannot be read.
    if (area && canvas.current) drawCrop(canvas.current, url, area, lie).catch(() => undefined)
  }, [url, area, lie])
  return (
    <canvas ref={canvas} className="crop-preview" width={96} height={96} role="img" aria-label={t('upload.result')} />
  )
}

/** Selects the square of a picture: by mouse, touch, wheel, and arrow keys. */
export const AvatarCrop = ({ file, onDone, onClose }: Props) => {
  const { t } = useTranslation()
  const url = useAddress(file)
  const [crop, setCrop] = useState({ x: 0, y: 0 })
  const [zoom, setZoom] = useState(1)
  const [lie, setLie] = useState<ImageTransform>({ degrees: 0, mirrored: false })
  const { degrees, mirrored } = lie
  const [area, setArea] = useState<Area>()
  const [busy, setBusy] = useState(false)
  // The cropper measures its frame once, which must have its final size.
  const [open, setOpen] = useState(false)
  const save = async () => {
    if (!area) return
    setBusy(true)
    try {
      await onDone(await cropToFile(url, area, lie))
    } finally {
      setBusy(false)
    }
  }
  const unreadable = () => {
    notify.error(t('upload.unreadable'))
    onClose()
  }
  return (
    <AppModal
      title={t('upload.crop')}
      okText={t('list.save')}
      cancelText={t('list.cancel')}
      okButtonProps={{ loading: busy, disabled: !area }}
      onOk={() => void save()}
      onCancel={onClose}
      afterOpenChange={setOpen}
    >
      <div className="crop">
        {open && (
          <Cropper
            image={url}
            crop={crop}
            zoom={zoom}
            maxZoom={MAX_ZOOM}
            rotation={degrees}
            transform={`translate(${crop.x}px, ${crop.y}px) rotate(${degrees}deg) scale(${mirrored ? -zoom : zoom}, ${zoom})`}
            aspect={1}
            cropShape="round"
            showGrid={false}
            keyboardStep={ARROW}
            onCropChange={setCrop}
            onZoomChange={setZoom}
            onCropComplete={(_, pixels) => setArea(pixels)}
            mediaProps={{ alt: t('upload.crop'), onError: unreadable }}
          />
        )}
      </div>
      <Flex gap="small" align="center">
        <Zoom value={zoom} onChange={setZoom} />
        <Button
          icon={<RotateRightOutlined />}
          aria-label={t('upload.turn')}
          onClick={() => setLie({ degrees: (degrees + 90) % 360, mirrored })}
        />
        <Button
          icon={<SwapOutlined />}
          aria-label={t('upload.flip')}
          // Mirrors horizontally as seen, rotated or not.
          onClick={() => setLie({ degrees: (360 - degrees) % 360, mirrored: !mirrored })}
        />
        <Preview url={url} area={area} lie={lie} />
      </Flex>
      <p className="crop-help">{t('upload.cropHelp')}</p>
    </AppModal>
  )
}
