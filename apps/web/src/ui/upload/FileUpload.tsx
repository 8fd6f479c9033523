import { CloseOutlined, DeleteOutlined, FileOutlined, PictureOutlined, RedoOutlined } from '@ant-design/icons'
import { type StoredFileInfo, type FileType, fileTypes, files, sizeText } from '@tocsin/contract/files/file'
import { Button, ConfigProvider, Progress, Typography } from 'antd'
import { useTranslation } from 'react-i18next'
import { inlineErrorText } from '#api/error-display.ts'
import { useLang } from '#texts/i18n.ts'
import { DropArea } from './DropArea.tsx'
import { uploadLimits } from './limits.ts'
import type { PendingUpload, Send } from './queue.ts'
import { type Uploads, useUploads } from './use-uploads.ts'
import './upload.css'

const anything = Object.keys(fileTypes) as FileType[]

const Line = ({ item, uploads }: { item: PendingUpload; uploads: Uploads }) => {
  const { t } = useTranslation()
  const lang = useLang()
  const { key, file, state, percent, error } = item
  const bad = state === 'failed' || state === 'refused'
  return (
    <li data-state={state}>
      <FileOutlined aria-hidden />
      <div className="upload-name">
        <span>{file.name}</span>
        {bad ? (
          <Typography.Text type="danger" role="alert">
            {inlineErrorText(error, lang)}
          </Typography.Text>
        ) : (
          <Progress percent={percent} size="small" aria-label={t('upload.progress', { name: file.name })} />
        )}
      </div>
      {state === 'failed' && (
        <Button
          type="text"
          icon={<RedoOutlined />}
          aria-label={t('upload.retry', { name: file.name })}
          onClick={() => uploads.retry(key)}
        />
      )}
      <Button
        type="text"
        icon={<CloseOutlined />}
        aria-label={t(bad ? 'upload.remove' : 'upload.cancel', { name: file.name })}
        onClick={() => uploads.cancel(key)}
      />
    </li>
  )
}

const Made = ({ file, onRemove }: { file: StoredFileInfo; onRemove: (() => void) | undefined }) => {
  const { t } = useTranslation()
  return (
    <li data-state="done">
      {file.type.startsWith('image/') ? <PictureOutlined aria-hidden /> : <FileOutlined aria-hidden />}
      <div className="upload-name">
        {file.url ? (
          <>
            <a href={file.url} download={file.name}>
              {file.name}
            </a>
            <Typography.Text type="secondary">{sizeText(file.size)}</Typography.Text>
          </>
        ) : (
          file.name
        )}
      </div>
      {onRemove && (
        <Button
          type="text"
          icon={<DeleteOutlined />}
          aria-label={t('upload.remove', { name: file.name })}
          onClick={onRemove}
        />
      )}
    </li>
  )
}

type Props = {
  value?: readonly StoredFileInfo[]
  onChange?: (value: StoredFileInfo[]) => void
  types?: readonly FileType[]
  count?: number
  bytes?: number
  send?: Send
  /** False: uploaded files stay, as in a library. */
  removable?: boolean
}

/** Files of a form as a list with progress; a value of a Form.Item. */
export const FileUpload = (props: Props) => {
  const { value = [], onChange = () => {}, types = anything, count = 10, bytes, send, removable = true } = props
  const { componentDisabled } = ConfigProvider.useConfig()
  const limits = uploadLimits(files.upload, types, count, bytes)
  const uploads = useUploads({ value, onChange, limits, ...(send && { send }) })
  return (
    <div>
      {!componentDisabled && <DropArea limits={limits} onFiles={uploads.add} disabled={uploads.room <= 0} />}
      <ul className="upload-list">
        {componentDisabled && value.length === 0 && <li>–</li>}
        {value.map((file) => (
          <Made
            key={file.id}
            file={file}
            onRemove={removable && !componentDisabled ? () => uploads.remove(file.id) : undefined}
          />
        ))}
        {uploads.underWay.map((item) => (
          <Line key={item.key} item={item} uploads={uploads} />
        ))}
      </ul>
    </div>
  )
}
