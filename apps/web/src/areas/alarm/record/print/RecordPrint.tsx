import { formatReadableText } from '@tocsin/contract/alarm/log-text'
import type { WarnRecordRow } from '@tocsin/contract/alarm/record'
import type { RecordDetail } from '@tocsin/contract/alarm/records'
import { useTranslation } from 'react-i18next'
import { useLang } from '#texts/i18n.ts'
import type { Column } from '#ui/column.tsx'
import { EnumLabel } from '#ui/EnumTag.tsx'
import { PrintFacts, PrintSheet } from '#ui/print/PrintSheet.tsx'
import { formatDateTime } from '#ui/time.ts'
import { Action, LogActor } from '../../log/LogText.tsx'

type Log = Pick<RecordDetail, 'log'>

const LogTable = ({ log }: Log) => {
  const lang = useLang()
  return (
    <table>
      <tbody>
        {log
          .toSorted((earlier, later) => earlier.no - later.no)
          .map((entry) => (
            <tr key={entry.id}>
              <td>{formatDateTime(entry.at)}</td>
              <td>
                <LogActor entry={entry} />
              </td>
              <td>
                <Action entry={entry} />
              </td>
              <td>{formatReadableText(entry.payload, lang)}</td>
            </tr>
          ))}
      </tbody>
    </table>
  )
}

type Props = { detail: RecordDetail; columns: readonly Column<WarnRecordRow>[]; onDone: () => void }

/** One alarm on paper: its state, its facts and its whole timeline. */
export const RecordPrint = ({ detail, columns, onDone }: Props) => {
  const { t } = useTranslation()
  const lang = useLang()
  const { record, log } = detail
  const words = (
    <>
      <EnumLabel kind="level" value={record.level} /> · <EnumLabel kind="warnClass" value={record.class} /> ·{' '}
      <EnumLabel kind="recordState" value={record.state} /> · <EnumLabel kind="mode" value={record.mode} />
    </>
  )
  return (
    <PrintSheet title={`${t('alarm.sheet')} ${record.no}`} onDone={onDone}>
      <p>{words}</p>
      <PrintFacts facts={columns.map((column) => [column.title(lang), column.render(record)] as const)} />
      <h2>{t('alarm.timeline')}</h2>
      <LogTable log={log} />
    </PrintSheet>
  )
}
