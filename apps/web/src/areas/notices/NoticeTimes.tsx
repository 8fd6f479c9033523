import { labelIn } from '@tocsin/contract/field'
import { NoticeRow } from '@tocsin/contract/notices/notice'
import { useLang } from '#texts/i18n.ts'
import { formatDateTime } from '#ui/time.ts'
import '#ui/list/screens.css'

const turns = ['createTime', 'publishedAt', 'revokedAt'] as const

/** Actions on a notice with their times (wire 3.8): those not done are omitted. */
export const NoticeTimes = ({ of }: { of: NoticeRow }) => {
  const lang = useLang()
  return (
    <dl className="notice-times">
      {turns.map((name) => {
        const at = of[name]
        return (
          at && (
            <div key={name}>
              <dt>{labelIn(lang, NoticeRow.shape[name])}</dt>
              <dd className="stamp">{formatDateTime(at)}</dd>
            </div>
          )
        )
      })}
    </dl>
  )
}
