import { FileOutlined } from '@ant-design/icons'
import { useTranslation } from 'react-i18next'
import type { FileRow } from '@tocsin/contract/files/file'
import '#ui/upload/upload.css'

/** Only pictures that the server re-encoded can be displayed. */
export const isShown = (file: FileRow): file is FileRow & { url: string } =>
  file.url !== null && file.type.startsWith('image/')

export const FileName = ({ file, onShow }: { file: FileRow; onShow: () => void }) => {
  const { t } = useTranslation()
  return (
    <span className="file-name">
      {isShown(file) ? (
        <button
          type="button"
          className="file-thumb"
          aria-label={t('upload.show', { name: file.name })}
          onClick={onShow}
        >
          <img src={file.url} alt="" loading="lazy" />
        </button>
      ) : (
        <FileOutlined aria-hidden />
      )}
      {file.name}
    </span>
  )
}
