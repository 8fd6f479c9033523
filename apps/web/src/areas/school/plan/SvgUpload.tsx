import { Button } from 'antd'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { inlineErrorText } from '#api/error-display.ts'
import { useLang } from '#texts/i18n.ts'
import { notify } from '#ui/notify.ts'
import { sendDraft } from '#ui/upload/use-uploads.ts'
import { toPicture } from './svg-picture.ts'

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
