import { DeleteOutlined, EyeOutlined, PictureOutlined, PlusOutlined, RedoOutlined } from '@ant-design/icons'
import { type StoredFileInfo, files, IMAGE_BYTES, imageTypes } from '@tocsin/contract/files/file'
import { Button, ConfigProvider, Progress, Typography } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { inlineErrorText } from '#api/error-display.ts'
import { useLang } from '#texts/i18n.ts'
import { DropArea, UploadLimitsText } from './DropArea.tsx'
import { uploadLimits } from './limits.ts'
import { Preview } from './Preview.tsx'
import type { PendingUpload, Send } from './queue.ts'
import { type Uploads, useUploads } from './use-uploads.ts'
import './upload.css'

const Card = ({ item, uploads }: { item: PendingUpload; uploads: Uploads }) => {
  const { t } = useTranslation()
  const lang = useLang()
  const { key, file, state, percent, error } = item
  const bad = state === 'failed' || state === 'refused'
  return (
    <li className="image-card" data-state={state}>
      {bad ? (
        <Typography.Text type="danger" role="alert" className="image-fault" title={inlineErrorText(error, lang)}>
          {inlineErrorText(error, lang)}
        </Typography.Text>
      ) : (
        <Progress type="circle" size={56} percent={percent} aria-label={t('upload.progress', { name: file.name })} />
      )}
      <div className="image-tools">
        {state === 'failed' && (
          <Button
            size="small"
            icon={<RedoOutlined />}
            aria-label={t('upload.retry', { name: file.name })}
            onClick={() => uploads.retry(key)}
          />
        )}
        <Button
          size="small"
          icon={<DeleteOutlined />}
          aria-label={t(bad ? 'upload.remove' : 'upload.cancel', { name: file.name })}
          onClick={() => uploads.cancel(key)}
        />
      </div>
    </li>
  )
}

type MadeProps = { file: StoredFileInfo; onShow: () => void; onRemove: (() => void) | undefined }

const Made = ({ file, onShow, onRemove }: MadeProps) => {
  const { t } = useTranslation()
  return (
    <li className="image-card" data-state="done">
      {file.url ? (
        <img src={file.url} alt={file.name} />
      ) : (
        <span className="image-unseen">
          <PictureOutlined aria-hidden />
          {file.name}
        </span>
      )}
      <div className="image-tools">
        {file.url && (
          <Button
            size="small"
            // Viewing changes nothing.
            disabled={false}
            icon={<EyeOutlined />}
            aria-label={t('upload.show', { name: file.name })}
            onClick={onShow}
          />
        )}
        {onRemove && (
          <Button
            size="small"
            icon={<DeleteOutlined />}
            aria-label={t('upload.remove', { name: file.name })}
            onClick={onRemove}
          />
        )}
      </div>
    </li>
  )
}

type Props = {
  value?: readonly StoredFileInfo[]
  onChange?: (value: StoredFileInfo[]) => void
  /** Maximum number of pictures; 1 allows one. */
  count?: number
  bytes?: number
  send?: Send
}

/** Pictures of a form as cards; a value of a Form.Item. */
export const ImageUpload = ({ value = [], onChange = () => {}, count = 10, bytes = IMAGE_BYTES, send }: Props) => {
  const { t } = useTranslation()
  const { componentDisabled } = ConfigProvider.useConfig()
  const [shown, setShown] = useState<StoredFileInfo>()
  const limits = uploadLimits(files.upload, imageTypes, count, bytes)
  const uploads = useUploads({ value, onChange, limits, ...(send && { send }) })
  return (
    <div>
      <ul className="image-list">
        {value.map((file) => (
          <Made
            key={file.id}
            file={file}
            onShow={() => setShown(file)}
            onRemove={componentDisabled ? undefined : () => uploads.remove(file.id)}
          />
        ))}
        {uploads.underWay.map((item) => (
          <Card key={item.key} item={item} uploads={uploads} />
        ))}
        {componentDisabled && value.length === 0 && <li>–</li>}
        {!componentDisabled && uploads.room > 0 && (
          <li>
            <DropArea limits={limits} onFiles={uploads.add} className="drop-area image-card">
              <PlusOutlined aria-hidden />
              <span>{t('upload.image')}</span>
            </DropArea>
          </li>
        )}
      </ul>
      {!componentDisabled && (
        <Typography.Text type="secondary">
          <UploadLimitsText limits={limits} />
        </Typography.Text>
      )}
      {shown && <Preview file={shown} onClose={() => setShown(undefined)} />}
    </div>
  )
}
