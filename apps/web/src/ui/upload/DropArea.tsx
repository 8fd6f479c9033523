import { InboxOutlined } from '@ant-design/icons'
import { sizeText } from '@tocsin/contract/files/file'
import { type ClipboardEvent, type DragEvent, type ReactNode, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { acceptFor, type UploadLimits } from './limits.ts'
import './upload.css'

type Props = {
  limits: UploadLimits
  onFiles: (files: readonly File[]) => void
  disabled?: boolean
  /** Its text; undefined: the usual text with the limits. */
  children?: ReactNode
  /** Its accessible name where its content has no text. */
  label?: string
  className?: string
}

/** The limits as a text. */
export const UploadLimitsText = ({ limits }: { limits: UploadLimits }) => {
  const { t } = useTranslation()
  const size = sizeText(limits.bytes)
  return <>{limits.count === 1 ? t('upload.limitOne', { size }) : t('upload.limit', { size, count: limits.count })}</>
}

const Usual = ({ limits }: { limits: UploadLimits }) => {
  const { t } = useTranslation()
  return (
    <>
      <InboxOutlined className="drop-icon" aria-hidden />
      <span>{t('upload.drop')}</span>
      <span className="drop-limits">
        <UploadLimitsText limits={limits} />
      </span>
    </>
  )
}

/** A button that opens the file dialog; files can be dropped on it, and pasted while it has the focus. */
export const DropArea = ({ limits, onFiles, disabled = false, children, label, className = 'drop-area' }: Props) => {
  const input = useRef<HTMLInputElement>(null)
  const [over, setOver] = useState(false)
  const take = (list: FileList | null | undefined) => {
    const files = [...(list ?? [])]
    if (files.length > 0 && !disabled) onFiles(files)
  }
  const drag = (event: DragEvent, inside: boolean) => {
    event.preventDefault()
    setOver(inside && !disabled)
  }
  const drop = (event: DragEvent) => {
    drag(event, false)
    take(event.dataTransfer.files)
  }
  const paste = (event: ClipboardEvent) => {
    if (event.clipboardData.files.length === 0) return
    event.preventDefault()
    take(event.clipboardData.files)
  }
  return (
    <>
      <button
        type="button"
        className={className}
        data-over={over}
        disabled={disabled}
        {...(label && { 'aria-label': label })}
        onClick={() => input.current?.click()}
        onDragOver={(event) => drag(event, true)}
        onDragLeave={(event) => drag(event, false)}
        onDrop={drop}
        onPaste={paste}
      >
        {children ?? <Usual limits={limits} />}
      </button>
      <input
        ref={input}
        hidden
        // antd's forms draw every file input, hidden or not.
        style={{ display: 'none' }}
        type="file"
        accept={acceptFor(limits)}
        multiple={limits.count > 1}
        onChange={(event) => {
          take(event.target.files)
          // Allows the same file to be selected again.
          event.target.value = ''
        }}
      />
    </>
  )
}
