import { FileOutlined } from '@ant-design/icons'
import type { AttachmentInfo } from '@tocsin/contract/files/attachment'
import { sizeText } from '@tocsin/contract/files/file'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Preview } from '#ui/upload/Preview.tsx'
import './attachment.css'

type Props = { attachments: readonly Pick<AttachmentInfo, 'id' | 'kind' | 'name' | 'size' | 'url' | 'note'>[] }

/** Photographs as thumbnails that open large, voice notes with a player, files by name. */
export const AttachmentList = ({ attachments }: Props) => {
  const { t } = useTranslation()
  const [open, setOpen] = useState<Props['attachments'][number]>()
  if (attachments.length === 0) return null
  return (
    <>
      <ul className="attachment-list" aria-label={t('upload.attachments')}>
        {attachments.map((attachment) => (
          <li key={attachment.id} data-kind={attachment.kind} title={attachment.note ?? attachment.name}>
            {attachment.kind === 'PHOTO' && (
              <button
                type="button"
                className="attachment-thumb"
                aria-label={t('upload.show', { name: attachment.name })}
                onClick={() => setOpen(attachment)}
              >
                <img src={attachment.url} alt={attachment.note ?? attachment.name} loading="lazy" />
              </button>
            )}
            {attachment.kind === 'VOICE' && (
              <audio controls preload="none" src={attachment.url} aria-label={attachment.name} />
            )}
            {attachment.kind === 'FILE' && (
              <a href={attachment.url} download={attachment.name} className="attachment-file">
                <FileOutlined aria-hidden /> {attachment.name} <small>{sizeText(attachment.size)}</small>
              </a>
            )}
          </li>
        ))}
      </ul>
      {open && <Preview file={open} onClose={() => setOpen(undefined)} />}
    </>
  )
}
