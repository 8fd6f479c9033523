import type { FileMade } from '@tocsin/contract/system/file'
import { Card, Typography } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { FileUpload } from '#ui/upload/FileUpload.tsx'
import { ImageUpload } from '#ui/upload/ImageUpload.tsx'
import '../demo.css'

const FILE_BYTES = 10 * 1024 * 1024

/** The three ways a form takes files; what is sent here and used nowhere goes after a day. */
export const UploadPage = () => {
  const { t } = useTranslation()
  const [one, setOne] = useState<readonly FileMade[]>([])
  const [pictures, setPictures] = useState<readonly FileMade[]>([])
  const [files, setFiles] = useState<readonly FileMade[]>([])
  return (
    <>
      <Typography.Paragraph type="secondary">{t('demo.uploadHelp')}</Typography.Paragraph>
      <div className="demo-cards">
        <Card size="small" title={t('demo.uploadOne')}>
          <div className="demo-single-image">
            <ImageUpload count={1} value={one} onChange={setOne} />
          </div>
        </Card>
        <Card size="small" title={t('demo.uploadMany')}>
          <ImageUpload count={10} value={pictures} onChange={setPictures} />
        </Card>
        <Card size="small" title={t('demo.uploadFiles')}>
          <FileUpload count={10} bytes={FILE_BYTES} value={files} onChange={setFiles} />
        </Card>
      </div>
    </>
  )
}
