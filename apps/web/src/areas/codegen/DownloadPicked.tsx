import { DownloadOutlined } from '@ant-design/icons'
import { codegens, TABLES_AT_ONCE } from '@tocsin/contract/codegen/calls'
import type { CodegenTable } from '@tocsin/contract/codegen/codegen'
import { Button } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { download } from '#api/download.ts'
import { showError } from '#api/messages.ts'
import { notify } from '#ui/notify.ts'

/** One zip of several modules, whose registries have the lines of all of them. */
export const DownloadPicked = ({ tables }: { tables: readonly CodegenTable[] }) => {
  const { t } = useTranslation()
  const [busy, setBusy] = useState(false)
  const generate = async () => {
    if (tables.length === 0) return notify.warning(t('codegen.pickFirst'))
    setBusy(true)
    await download(codegens.download, { query: { tableId: tables.map(({ id }) => id) } })
      .catch(showError)
      .finally(() => setBusy(false))
  }
  return (
    <Button
      icon={<DownloadOutlined />}
      loading={busy}
      disabled={tables.length > TABLES_AT_ONCE}
      onClick={() => void generate()}
    >
      {tables.length > 0 ? `${t('codegen.generate')} (${tables.length})` : t('codegen.generate')}
    </Button>
  )
}
