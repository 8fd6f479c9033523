import { type FileRow, files } from '@tocsin/contract/system/file'
import { useTranslation } from 'react-i18next'
import { call } from '#api/call.ts'
import { showError } from '#api/notices.ts'
import { useWrite } from '#api/query.ts'
import { useCan } from '#api/session.ts'
import { confirm } from '#ui/confirm.ts'
import { notify } from '#ui/notify.ts'
import { RowActions } from '../RowActions.tsx'
import { isShown } from './FileName.tsx'

/** Links last ten minutes and a list may stand longer: a download begins with a fresh one. */
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
  const mayDelete = useCan('infra:file:delete')
  const remove = useWrite(files.delete, { done: () => notify.success(t('list.deleted')) })
  const ask = async () => {
    if (!(await confirm({ title: t('list.deleteAsk'), text: file.name, danger: true }))) return
    remove.mutate({ query: { id: file.id } })
  }
  const why = file.used ? t('file.usedHelp') : undefined
  return (
    <RowActions
      items={[
        isShown(file) && { key: 'show', label: t('file.show'), run: onShow },
        file.url !== null && { key: 'download', label: t('file.download'), run: () => void save(file) },
        mayDelete &&
          file.url !== null && { key: 'delete', label: t('list.delete'), run: () => void ask(), danger: true, why },
      ]}
    />
  )
}
