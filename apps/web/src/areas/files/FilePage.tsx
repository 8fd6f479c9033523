import { UploadOutlined } from '@ant-design/icons'
import { fileGroups, filePurposes, FileQuery, FileRow, files, sizeText } from '@tocsin/contract/files/file'
import { Button, Input } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { queryFor } from '#api/query.ts'
import { HasPerm } from '#ui/permission/HasPerm.tsx'
import { YesNoText } from '#ui/cell/YesNoText.tsx'
import { column } from '#ui/column.tsx'
import { Filter, DateRangeFilter, EnumSelect } from '#ui/list/filters.tsx'
import { ListPage } from '#ui/list/ListPage.tsx'
import { Preview } from '#ui/upload/Preview.tsx'
import { FileName, isShown } from './FileName.tsx'
import { FileRowActions } from './FileRowActions.tsx'
import { UploadDialog } from './UploadDialog.tsx'

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
