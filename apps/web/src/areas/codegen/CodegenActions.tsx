import { codegens } from '@tocsin/contract/codegen/calls'
import type { CodegenTable } from '@tocsin/contract/codegen/codegen'
import { useTranslation } from 'react-i18next'
import { download } from '#api/download.ts'
import { showError } from '#api/messages.ts'
import { useApiMutation } from '#api/query.ts'
import { useHasPermission } from '#api/session.ts'
import { confirm } from '#ui/confirm.ts'
import { notify } from '#ui/notify.ts'
import { RowActions } from '#ui/list/RowActions.tsx'

/** The overlays of a row. */
export type OpenDialog = 'preview' | 'edit' | 'sync'

export const CodegenActions = ({ table, onOpen }: { table: CodegenTable; onOpen: (dialog: OpenDialog) => void }) => {
  const { t } = useTranslation()
  const mayPreview = useHasPermission('infra:codegen:preview')
  const mayUpdate = useHasPermission('infra:codegen:update')
  const mayDownload = useHasPermission('infra:codegen:download')
  const mayDelete = useHasPermission('infra:codegen:delete')
  const remove = useApiMutation(codegens.delete, { done: () => notify.success(t('list.deleted')) })
  const tableId = table.id
  const ask = async () => {
    const text = t('codegen.deleteText', { name: table.tableName })
    if (!(await confirm({ title: t('list.deleteAsk'), text, danger: true }))) return
    remove.mutate({ query: { tableId } })
  }
  const generate = () => void download(codegens.download, { query: { tableId: [tableId] } }).catch(showError)
  return (
    <RowActions
      items={[
        mayPreview && { key: 'preview', label: t('codegen.preview'), run: () => onOpen('preview') },
        mayUpdate && { key: 'edit', label: t('list.edit'), run: () => onOpen('edit') },
        mayDownload && { key: 'download', label: t('codegen.generate'), run: generate },
        mayUpdate && { key: 'sync', label: t('codegen.sync'), run: () => onOpen('sync') },
        mayDelete && { key: 'delete', label: t('list.delete'), run: () => void ask(), danger: true },
      ]}
    />
  )
}
