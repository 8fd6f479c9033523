import { ArrowLeftOutlined } from '@ant-design/icons'
import { WarnRecordRow } from '@tocsin/contract/alarm/record'
import { labelIn } from '@tocsin/contract/field'
import { Button } from 'antd'
import { useTranslation } from 'react-i18next'
import { useLang } from '#texts/i18n.ts'
import { enumLabel } from '#texts/enum-labels.ts'
import { formatPlace } from '../format-place.ts'
import { Age, LevelMark, RecordFlags, ModeBand, StateWord } from '../queue/RecordFlags.tsx'
import { Owner } from '../queue/Owner.tsx'

/** When list and record do not fit side by side: the way back to the list. */
export const Back = ({ onBack }: { onBack: () => void }) => {
  const { t } = useTranslation()
  return <Button className="desk-back" icon={<ArrowLeftOutlined />} onClick={onBack} aria-label={t('desk.back')} />
}

/** The place, in letters readable across the room. */
export const Head = ({ record, onBack }: { record: WarnRecordRow; onBack: () => void }) => {
  const { t } = useTranslation()
  const lang = useLang()
  const { schoolName, code, level, sn, no, occurrenceCount, validation } = record
  return (
    <header className="desk-head">
      <ModeBand record={record} />
      <div className="desk-line">
        <Back onBack={onBack} />
        <LevelMark level={level} />
        <b className="desk-code">{enumLabel('alarmCode', code, lang)}</b>
        {occurrenceCount > 1 && <span className="desk-times">×{occurrenceCount}</span>}
        <StateWord record={record} />
        <Owner record={record} />
        <Age record={record} />
      </div>
      <h2 className="desk-where">
        <span>{schoolName ?? t('desk.noSchool')}</span>
        <strong>{formatPlace(record) || t('desk.noPlace')}</strong>
      </h2>
      <div className="desk-line desk-minor">
        <span>{no}</span>
        <span>{t('desk.device', { sn: sn ?? '–' })}</span>
        <span>
          {validation === null
            ? t('desk.notVerified')
            : `${labelIn(lang, WarnRecordRow.shape.validation)} ${enumLabel('validation', validation, lang)}`}
        </span>
        <RecordFlags record={record} />
      </div>
    </header>
  )
}
