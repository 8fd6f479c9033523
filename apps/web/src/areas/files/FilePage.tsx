import { UploadOutlined } from '@ant-design/icons'
import {
  fileGroups,
  filePurposes,
  FileQuery,
  FileRow,
  files,
  sizeText,
  type StoredFileInfo,
} from '@tocsin/contract/files/file'
import { Button, Input, Typography } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { queryFor, invalidate } from '#api/query.ts'
import { HasPerm } from '#ui/permission/HasPerm.tsx'
import { YesNoText } from '#ui/cell/YesNoText.tsx'
import { column } from '#ui/column.tsx'
import { Filter, DateRangeFilter, EnumSelect } from '#ui/list/filters.tsx'
import { ListPage } from '#ui/list/ListPage.tsx'
import { Preview } from '#ui/upload/Preview.tsx'
import { FileName, isShown } from './FileName.tsx'
import { call } from '#api/call.ts'
import { showError } from '#api/messages.ts'
import { useHasPermission } from '#api/session.ts'
import { useDeletion } from '#ui/prompt/use-deletion.ts'
import { RowActions } from '#ui/list/RowActions.tsx'
import { AppModal } from '#ui/AppModal.tsx'
import { FileUpload } from '#ui/upload/FileUpload.tsx'
import { sendToLibrary } from '#ui/upload/use-uploads.ts'

const AT_ONCE = 20

/** Uploads files to the library; each appears in the list as soon as it has arrived. */
const UploadDialog = ({ onClose }: { onClose: () => void }) => {
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

/** Links expire after ten minutes and a list may be older: a download requests a fresh link. */
const save = async ({ id, name }: FileRow) => {
  try {
    const { url } = await call(files.get, { query: { id } })
    if (url === null) return
    const link = document.createElement('a')
    link.href = url
    link.download = name
    link.click()
  } catch (error) {
    showError(error)
  }
}

const FileRowActions = ({ file, onShow }: { file: FileRow; onShow: () => void }) => {
  const { t } = useTranslation()
  const mayDelete = useHasPermission('infra:file:delete')
  const remove = useDeletion(files.delete)
  const ask = () => void remove(file.id, file.name)
  const why = file.used ? t('file.usedHelp') : undefined
  return (
    <RowActions
      items={[
        isShown(file) && { key: 'show', label: t('file.show'), run: onShow },
        file.url !== null && { key: 'download', label: t('file.download'), run: () => void save(file) },
        mayDelete && file.url !== null && { key: 'delete', label: t('list.delete'), run: ask, danger: true, why },
      ]}
    />
  )
}

const columnsFor = (onShow: (file: FileRow) => void) => [
  column(FileRow, 'name', { main: true, show: (_, row) => <FileName file={row} onShow={() => onShow(row)} /> }),
  column(FileRow, 'size', {
    figure: true,
    show: (bytes) => <span style={{ whiteSpace: 'nowrap' }}>{sizeText(bytes)}</span>,
  }),
  column(FileRow, 'purpose', { word: 'filePurpose' }),
  column(FileRow, 'ownerName'),
  column(FileRow, 'used', { show: (used) => <YesNoText yes={used} /> }),
  column(FileRow, 'createdAt'),
  column(FileRow, 'expiresAt', { wideOnly: true }),
  column(FileRow, 'type', { wideOnly: true, show: (type) => <code className="breaks">{type}</code> }),
]

const Filters = () => {
  const { t } = useTranslation()
  return (
    <>
      <Filter of={FileQuery} name="name">
        <Input allowClear maxLength={100} />
      </Filter>
      <Filter of={FileQuery} name="ownerName">
        <Input allowClear maxLength={30} />
      </Filter>
      <Filter of={FileQuery} name="group">
        <EnumSelect kind="fileGroup" values={fileGroups} />
      </Filter>
      <Filter of={FileQuery} name="purpose">
        <EnumSelect kind="filePurpose" values={filePurposes} />
      </Filter>
      <DateRangeFilter label={t('file.period')} hint={t('file.periodHint')} />
    </>
  )
}

/** All visible files, uploaded or generated. */
export const FilePage = () => {
  const { t } = useTranslation()
  const [shown, setShown] = useState<FileRow>()
  const [uploading, setUploading] = useState(false)
  const [columns] = useState(() => columnsFor(setShown))
  const upload = (
    <HasPerm perms="infra:file:create">
      <Button type="primary" icon={<UploadOutlined />} onClick={() => setUploading(true)}>
        {t('file.upload')}
      </Button>
    </HasPerm>
  )
  return (
    <>
      <ListPage
        query={FileQuery}
        source={(query) => queryFor(files.page, { query })}
        columns={columns}
        rowKey={({ id }) => id}
        filters={<Filters />}
        left={upload}
        actions={(file) => <FileRowActions file={file} onShow={() => setShown(file)} />}
        empty={{ text: t('file.none'), next: upload }}
      />
      {uploading && <UploadDialog onClose={() => setUploading(false)} />}
      {shown && isShown(shown) && <Preview file={shown} onClose={() => setShown(undefined)} />}
    </>
  )
}
