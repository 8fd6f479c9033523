import { WarnRecordRow } from '@tocsin/contract/alarm/record'
import { labelIn } from '@tocsin/contract/field'
import { Button, Flex } from 'antd'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useLang } from '#texts/i18n.ts'
import { formatTime } from '#ui/time.ts'
import { listMilestones } from './replay-events.ts'

type Props = { record: WarnRecordRow; at: number; onMove: (at: number) => void }

/** The milestones that were reached; each leads to its moment. */
export const MilestoneChips = ({ record, at, onMove }: Props) => {
  const { t } = useTranslation()
  const lang = useLang()
  const reached = useMemo(() => listMilestones(record), [record])
  return (
    <Flex gap="small" wrap role="group" aria-label={t('replay.milestones')}>
      {reached.map(({ name, at: when }) => (
        <Button key={name} size="small" type={when <= at ? 'default' : 'dashed'} onClick={() => onMove(when)}>
          {labelIn(lang, WarnRecordRow.shape[name])} {formatTime(when)}
        </Button>
      ))}
    </Flex>
  )
}
