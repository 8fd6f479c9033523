import { evidencePacks } from '@tocsin/contract/alarm/evidence-pack'
import { Button } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { download } from '#api/download.ts'
import { showError } from '#api/messages.ts'
import { useHasPermission } from '#api/session.ts'

/** Downloads the evidence pack of a record; absent without the permission. */
export const EvidenceButton = ({ recordId }: { recordId: number }) => {
  const { t } = useTranslation()
  const mayExport = useHasPermission(evidencePacks.export.permission)
  const [isMaking, setMaking] = useState(false)
  if (!mayExport) return null
  const save = async () => {
    setMaking(true)
    await download(evidencePacks.export, { query: { id: recordId } }).catch(showError)
    setMaking(false)
  }
  return (
    <Button loading={isMaking} onClick={() => void save()}>
      {t('alarm.evidencePack')}
    </Button>
  )
}
