import { milestones } from '@tocsin/contract/alarm/milestone'
import { WarnRecordRow } from '@tocsin/contract/alarm/record'
import type { RecordDetail } from '@tocsin/contract/alarm/records'
import { labelIn } from '@tocsin/contract/field'
import { useTranslation } from 'react-i18next'
import { useLang } from '#texts/i18n.ts'
import { formatTimeMs, formatDateTime } from '#ui/time.ts'
import { beganByDevice } from '../../record/signals.ts'
import { wasClaimedUnsounded } from '../../record/unclaimed.ts'
import { formatDelta } from '../clock.ts'

/** `never`: the meaning of a milestone that was not reached. */
const Hop = ({ label, at, first, never = '–' }: { label: string; at: Date | null; first: Date; never?: string }) => (
  <tr data-reached={at !== null}>
    <th scope="row">{label}</th>
    {at ? (
      <>
        <td title={formatDateTime(at)}>{formatTimeMs(at)}</td>
        <td>{formatDelta(at.getTime() - first.getTime())}</td>
      </>
    ) : (
      <td colSpan={2}>{never}</td>
    )}
  </tr>
)

/** Each milestone with its offset from the press: the proof of how fast help was. */
export const Milestones = ({ detail }: { detail: RecordDetail }) => {
  const { t } = useTranslation()
  const lang = useLang()
  const { record, occurrences } = detail
  const skew = occurrences.at(-1)?.skewMs
  const began = beganByDevice(detail) ? t('desk.occurred') : labelIn(lang, WarnRecordRow.shape.firstAt)
  return (
    <>
      <table className="desk-hops">
        <caption>{formatDateTime(record.firstAt).slice(0, 10)}</caption>
        <tbody>
          <Hop label={began} at={record.firstAt} first={record.firstAt} />
          {milestones.map((name) => (
            <Hop
              key={name}
              label={labelIn(lang, WarnRecordRow.shape[name])}
              at={record[name]}
              first={record.firstAt}
              {...(name === 'soundedAt' && wasClaimedUnsounded(record) && { never: t('alarm.neverSounded') })}
            />
          ))}
        </tbody>
      </table>
      {skew != null && skew !== 0 && <p className="desk-hint">{t('desk.skew', { delta: formatDelta(skew) })}</p>}
    </>
  )
}
