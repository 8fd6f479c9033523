import { Button } from 'antd'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { inlineErrorText } from '#api/error-display.ts'
import { useLang } from '#texts/i18n.ts'
import { notify } from '#ui/notify.ts'
import { sendDraft } from '#ui/upload/use-uploads.ts'

/** Dots of the longer side: as sharp as a scan of A3 in 150 dpi. */
const LONG_SIDE = 2400

/**
 * Draws an SVG as a picture in the browser. Scripts, links and whatever else the file holds stay behind: only what is
 * seen is uploaded.
 */
const toPicture = async (svg: File): Promise<File> => {
  const url = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }))
  try {
    const image = new Image()
    image.src = url
    await image.decode()
    const share = LONG_SIDE / Math.max(image.naturalWidth, image.naturalHeight, 1)
    const canvas = document.createElement('canvas')
    canvas.width = Math.max(1, Math.round(image.naturalWidth * share))
    canvas.height = Math.max(1, Math.round(image.naturalHeight * share))
    const context = canvas.getContext('2d')
    if (!context) throw new Error('no canvas')
    // A plan without a background would be unreadable on a dark page.
    context.fillStyle = '#ffffff'
    context.fillRect(0, 0, canvas.width, canvas.height)
    context.drawImage(image, 0, 0, canvas.width, canvas.height)
    const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, 'image/png'))
    if (!blob) throw new Error('no picture')
    return new File([blob], svg.name.replace(/\.svg$/i, '.png'), { type: 'image/png' })
  } finally {
    URL.revokeObjectURL(url)
  }
}

const UPLOAD_MS = 60_000
const ignoreProgress = () => undefined

/** Uploads an SVG as the picture that it shows. @param onUpload gets the id of the file. */
export const SvgUpload = ({ onUpload }: { onUpload: (fileId: number) => void }) => {
  const { t } = useTranslation()
  const lang = useLang()
  const input = useRef<HTMLInputElement>(null)
  const [isBusy, setBusy] = useState(false)
  const add = async (svg: File) => {
    setBusy(true)
    try {
      const picture = await toPicture(svg).catch(() => undefined)
      if (!picture) notify.error(t('plan.svgUnreadable'))
      else onUpload((await sendDraft(picture, AbortSignal.timeout(UPLOAD_MS), ignoreProgress)).id)
    } catch (error) {
      notify.error(inlineErrorText(error, lang))
    } finally {
      setBusy(false)
    }
  }
  return (
    <>
      <input
        ref={input}
        type="file"
        accept=".svg"
        hidden
        aria-label={t('plan.svg')}
        onChange={({ target }) => {
          const [svg] = target.files ?? []
          if (svg) void add(svg)
          target.value = ''
        }}
      />
      <Button loading={isBusy} onClick={() => input.current?.click()}>
        {t('plan.svg')}
      </Button>
    </>
  )
}
