import { CameraOutlined } from '@ant-design/icons'
import { MAX_ATTACHMENTS } from '@tocsin/contract/files/attachment'
import { type FileType, fileTypes, files, imageTypes, type StoredFileInfo } from '@tocsin/contract/files/file'
import { Button, Progress, Typography } from 'antd'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { inlineErrorText } from '#api/error-display.ts'
import { useLang } from '#texts/i18n.ts'
import { useMedium } from '#ui/responsive/media.ts'
import { FileUpload } from '#ui/upload/FileUpload.tsx'
import { uploadLimits } from '#ui/upload/limits.ts'
import { useUploads } from '#ui/upload/use-uploads.ts'
import './attachment.css'

const anything = Object.keys(fileTypes) as FileType[]

type Props = {
  value?: readonly StoredFileInfo[]
  onChange?: (value: StoredFileInfo[]) => void
  count?: number
  types?: readonly FileType[]
}

/** Opens the camera of a phone; the picture is sent at once. */
const CameraButton = ({ value = [], onChange = () => {}, count = MAX_ATTACHMENTS }: Props) => {
  const { t } = useTranslation()
  const lang = useLang()
  const input = useRef<HTMLInputElement>(null)
  const limits = uploadLimits(files.upload, imageTypes, count)
  const uploads = useUploads({ value, onChange, limits })
  return (
    <div className="attachment-camera">
      <Button
        icon={<CameraOutlined />}
        disabled={uploads.room <= 0}
        onClick={() => input.current?.click()}
        className="attachment-camera-button"
      >
        {t('upload.camera')}
      </Button>
      <input
        ref={input}
        type="file"
        accept="image/*"
        capture="environment"
        style={{ display: 'none' }}
        onChange={(event) => {
          uploads.add([...(event.target.files ?? [])])
          event.target.value = ''
        }}
      />
      {uploads.underWay.map(({ key, file, percent, error }) =>
        error ? (
          <Typography.Text key={key} type="warning" role="alert">
            {file.name}: {inlineErrorText(error, lang)}
          </Typography.Text>
        ) : (
          <Progress key={key} percent={percent} size="small" aria-label={t('upload.progress', { name: file.name })} />
        ),
      )}
    </div>
  )
}

/** Photographs and files of a form: chosen, dropped, pasted, or taken by a phone's camera; a value of a Form.Item. */
export const AttachmentInput = (props: Props) => {
  const isNarrow = !useMedium()
  const { count = MAX_ATTACHMENTS, types = anything, ...rest } = props
  return (
    <div className="attachment-input">
      {isNarrow && <CameraButton {...props} />}
      <FileUpload {...rest} count={count} types={types} />
    </div>
  )
}
