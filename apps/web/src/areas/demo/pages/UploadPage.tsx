import { demoUploads } from '@tocsin/contract/demo/upload'
import type { StoredFileInfo } from '@tocsin/contract/files/file'
import { Card, ConfigProvider, Typography } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { upload } from '#api/call.ts'
import { useHasPermission } from '#api/session.ts'
import { FileUpload } from '#ui/upload/FileUpload.tsx'
import { ImageUpload } from '#ui/upload/ImageUpload.tsx'
import type { Send } from '#ui/upload/queue.ts'
import '../demo.css'

const FILE_BYTES = 10 * 1024 * 1024

const send: Send = (file, signal, onProgress) =>
  upload(demoUploads.create, { files: { file: [file] } }, { signal, onProgress })

/** The three upload fields of forms; files uploaded here and used nowhere are deleted after a day. */
export const UploadPage = () => {
  const { t } = useTranslation()
  const mayUpload = useHasPermission('demo:upload:create')
  const [first, setOne] = useState<readonly StoredFileInfo[]>([])
  const [pictures, setPictures] = useState<readonly StoredFileInfo[]>([])
  const [files, setFiles] = useState<readonly StoredFileInfo[]>([])
  return (
    <ConfigProvider componentDisabled={!mayUpload}>
      <Typography.Paragraph type="secondary">{t('demo.uploadHelp')}</Typography.Paragraph>
      <div className="demo-cards">
        <Card size="small" title={t('demo.uploadOne')}>
          <div className="demo-single-image">
            <ImageUpload count={1} send={send} value={first} onChange={setOne} />
          </div>
        </Card>
        <Card size="small" title={t('demo.uploadMany')}>
          <ImageUpload count={10} send={send} value={pictures} onChange={setPictures} />
        </Card>
        <Card size="small" title={t('demo.uploadFiles')}>
          <FileUpload count={10} send={send} bytes={FILE_BYTES} value={files} onChange={setFiles} />
        </Card>
      </div>
    </ConfigProvider>
  )
}
