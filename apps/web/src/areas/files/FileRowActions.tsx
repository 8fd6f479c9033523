import { type FileRow, files } from '@tocsin/contract/files/file'
import { useTranslation } from 'react-i18next'
import { call } from '#api/call.ts'
import { showError } from '#api/messages.ts'
import { useHasPermission } from '#api/session.ts'
import { useDeletion } from '#ui/prompt/use-deletion.ts'
import { RowActions } from '#ui/list/RowActions.tsx'
import { isShown } from './FileName.tsx'

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

export const FileRowActions = ({ file, onShow }: { file: FileRow; onShow: () => void }) => {
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
