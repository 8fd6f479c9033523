import type { WarnRecordRow } from '@tocsin/contract/alarm/record'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useLang } from '#texts/i18n.ts'
import { enumLabel } from '#texts/enum-labels.ts'
import { isUnownedEscalation, actionState } from '../actions/available-actions.ts'
import type { Actions } from '../actions/use-actions.ts'
import { useServerNow } from '../clock.ts'
import { isShelved } from '../sound/decide-sound.ts'
import { usePulse } from '../use-pulse.ts'
import { QueueRow } from './QueueRow.tsx'
import { useReportDisplayed } from './use-report-displayed.ts'

type Props = {
  list: readonly WarnRecordRow[]
  /** A note on the hidden records. */
  more: string | undefined
  selected: number | undefined
  actions: Actions
  onOpen: (id: number) => void
  onClaim: (record: WarnRecordRow) => void
}

/** The queue in the server's order, which is the order of urgency. */
export const QueueList = ({ list, more, selected, actions, onOpen, onClaim }: Props) => {
  const { t } = useTranslation()
  const lang = useLang()
  const now = useServerNow()
  const box = useRef<HTMLUListElement>(null)
  usePulse(box)
  useReportDisplayed(box, list.map(({ id }) => id).join())
  const claimText = (record: WarnRecordRow) => {
    const verb = isUnownedEscalation(record) ? 'take' : 'claim'
    return actionState(verb, record, actions.person) === 'free' ? enumLabel('verb', verb, lang) : undefined
  }
  return (
    <ul className="desk-list" ref={box} aria-label={t('desk.queue')}>
      {list.map((record) => (
        <QueueRow
          key={record.id}
          record={record}
          selected={record.id === selected}
          shelved={isShelved(record, now)}
          claimText={claimText(record)}
          onOpen={onOpen}
          onClaim={onClaim}
        />
      ))}
      {more && <li className="desk-hint desk-more">{more}</li>}
    </ul>
  )
}
