import { type StoredFileInfo, files } from '@tocsin/contract/files/file'
import { Button, Typography } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { invalidate } from '#api/query.ts'
import { AppModal } from '#ui/AppModal.tsx'
import { FileUpload } from '#ui/upload/FileUpload.tsx'
import { sendToLibrary } from '#ui/upload/use-uploads.ts'

const AT_ONCE = 20

/** Uploads files to the library; each appears in the list as soon as it has arrived. */
export const UploadDialog = ({ onClose }: { onClose: () => void }) => {
  const { t } = useTranslation()
  const [made, setMade] = useState<StoredFileInfo[]>([])
  const take = (next: StoredFileInfo[]) => {
    setMade(next)
    void invalidate(files.page)
  }
  return (
    <AppModal
      title={t('file.upload')}
      onCancel={onClose}
      mask={{ closable: false }}
      footer={
        <Button type="primary" onClick={onClose}>
          {t('file.close')}
        </Button>
      }
    >
      <Typography.Paragraph type="secondary">{t('file.uploadHelp')}</Typography.Paragraph>
      <FileUpload value={made} onChange={take} count={AT_ONCE} send={sendToLibrary} removable={false} />
    </AppModal>
  )
}
