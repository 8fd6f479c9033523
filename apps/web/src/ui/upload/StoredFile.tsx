import type { StoredFileInfo } from '@tocsin/contract/files/file'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { FileUpload } from './FileUpload.tsx'
import { ImageUpload } from './ImageUpload.tsx'
import { Preview } from './Preview.tsx'
import './upload.css'

type Props = {
  value?: number | null
  onChange?: (value: number | null) => void
  /** The file of the row. */
  made: StoredFileInfo | null | undefined
}

const unseen = (id: number, name: string): StoredFileInfo => ({ id, name, url: '', size: 0, type: '' })

/** The single file of a form, by its id. */
const useKept = ({ value, onChange, made }: Props) => {
  const { t } = useTranslation()
  const [known, setKnown] = useState<readonly StoredFileInfo[]>(made ? [made] : [])
  // Of a file that another user put here meanwhile only the id is known.
  const kept = value == null ? [] : [known.find(({ id }) => id === value) ?? unseen(value, t('upload.kept'))]
  return {
    count: 1,
    value: kept,
    onChange: (next: StoredFileInfo[]) => {
      setKnown(next)
      onChange?.(next.at(-1)?.id ?? null)
    },
  }
}

export const StoredImageField = (props: Props) => <ImageUpload {...useKept(props)} />
export const StoredFileField = (props: Props) => <FileUpload {...useKept(props)} />

/** A picture as a thumbnail that opens large; any other file by its name, to download. */
export const StoredFileLink = ({ file }: { file: Pick<StoredFileInfo, 'name' | 'url' | 'type'> | null }) => {
  const { t } = useTranslation()
  const [open, setOpen] = useState(false)
  if (!file) return <>–</>
  const { name, url, type } = file
  return (
    // A row may open on a click; the file must not trigger that.
    <span onClick={(event) => event.stopPropagation()}>
      {type.startsWith('image/') ? (
        <button
          type="button"
          className="upload-thumb"
          aria-label={t('upload.show', { name })}
          onClick={() => setOpen(true)}
        >
          <img src={url} alt="" />
        </button>
      ) : (
        <a href={url} download={name}>
          {name}
        </a>
      )}
      {open && <Preview file={{ name, url }} onClose={() => setOpen(false)} />}
    </span>
  )
}
