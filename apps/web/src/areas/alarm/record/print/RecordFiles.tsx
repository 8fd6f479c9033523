import type { WarnRecordRow } from '@tocsin/contract/alarm/record'
import { type RecordDetail, warnRecords } from '@tocsin/contract/alarm/records'
import { PrinterOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { download } from '#api/download.ts'
import { showError } from '#api/messages.ts'
import { useHasPermission } from '#api/session.ts'
import type { Column } from '#ui/column.tsx'
import { EvidenceButton } from './EvidenceButton.tsx'
import { RecordPrint } from './RecordPrint.tsx'

type Props = { detail: RecordDetail; columns: readonly Column<WarnRecordRow>[] }

/** One alarm on paper, and as a message for another system. */
export const RecordFiles = ({ detail, columns }: Props) => {
  const { t } = useTranslation()
  const mayExport = useHasPermission(warnRecords.cap.permission)
  const [isPrinting, setPrinting] = useState(false)
  const { id } = detail.record
  return (
    <>
      <Button icon={<PrinterOutlined />} onClick={() => setPrinting(true)}>
        {t('alarm.print')}
      </Button>
      {mayExport && (
        <Button onClick={() => void download(warnRecords.cap, { query: { id } }).catch(showError)}>
          {t('alarm.cap')}
        </Button>
      )}
      <EvidenceButton recordId={id} />
      {isPrinting && <RecordPrint detail={detail} columns={columns} onDone={() => setPrinting(false)} />}
    </>
  )
}
