import type { WarnRecordRow } from '@tocsin/contract/alarm/record'
import { Button } from 'antd'
import { memo } from 'react'
import { useTranslation } from 'react-i18next'
import { useLang } from '#texts/i18n.ts'
import { enumLabel } from '#texts/enum-labels.ts'
import { formatPlace } from '../format-place.ts'
import { Age, LevelMark, RecordFlags, ModeBand, StateWord } from './RecordFlags.tsx'
import { Owner } from './Owner.tsx'

type Props = {
  record: WarnRecordRow
  selected: boolean
  shelved: boolean
  /** The label of the row's button; absent when there is nothing to claim. */
  claimText: string | undefined
  onOpen: (id: number) => void
  onClaim: (record: WarnRecordRow) => void
}

/** One alarm of the queue: kind, place, time, owner. */
export const QueueRow = memo(({ record, selected, shelved, claimText, onOpen, onClaim }: Props) => {
  const { t } = useTranslation()
  const lang = useLang()
  const { id, mode, state, open, level, occurrenceCount, schoolName } = record
  return (
    <li
      className="desk-row"
      data-id={id}
      data-mode={mode}
      data-state={state}
      data-level={level}
      data-due={open && !shelved && record.ownerId === null}
      data-shelved={shelved}
      data-selected={selected}
    >
      <ModeBand record={record} />
      <button type="button" className="desk-row-open" aria-current={selected} onClick={() => onOpen(id)}>
        <span className="desk-line">
          <LevelMark level={level} />
          <b className="desk-code">{enumLabel('alarmCode', record.code, lang)}</b>
          {occurrenceCount > 1 && <span className="desk-times">×{occurrenceCount}</span>}
          <StateWord record={record} />
          <Age record={record} />
        </span>
        <span className="desk-place">{formatPlace(record) || t('desk.noPlace')}</span>
        <span className="desk-line desk-minor">
          <span className="desk-school">{schoolName ?? t('desk.noSchool')}</span>
          <Owner record={record} />
        </span>
        <span className="desk-line desk-marks">
          <RecordFlags record={record} />
        </span>
      </button>
      {claimText && (
        <Button
          autoInsertSpace={false}
          className="desk-row-claim"
          type="primary"
          danger={mode === 'LIVE'}
          onClick={() => onClaim(record)}
        >
          {claimText}
        </Button>
      )}
    </li>
  )
})
