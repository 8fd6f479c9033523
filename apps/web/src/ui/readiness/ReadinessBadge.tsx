import { GOOD_READINESS, LOW_READINESS, readiness } from '@tocsin/contract/insight/readiness'
import { lostPointsText, readinessText } from '@tocsin/contract/insight/readiness-labels'
import { useQuery } from '@tanstack/react-query'
import { Tooltip } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { inlineQuery } from '#api/query.ts'
import { useHasPermission } from '#api/session.ts'
import { useLang } from '#texts/i18n.ts'
import { type Tone, ToneTag } from '#ui/tone/ToneTag.tsx'

export const readinessTone = (score: number | null): Tone => {
  if (score === null) return 'calm'
  if (score >= GOOD_READINESS) return 'done'
  return score >= LOW_READINESS ? 'wait' : 'fault'
}

type Subject = { schoolId: number } | { deviceId: number }
type Props = Subject & { score: number | null; prefix?: boolean }

const WorstList = (subject: Subject) => {
  const { t } = useTranslation()
  const lang = useLang()
  const { data } = useQuery(inlineQuery(readiness.worst, { query: subject }))
  if (!data) return <>{t('readiness.loading')}</>
  if (data.reasons.length === 0) return <>{t('readiness.nothingMissing')}</>
  return (
    <>
      {data.reasons.map(({ code, points, value }) => (
        <div key={code}>{`${lostPointsText(points)} ${readinessText(code, value, lang)}`}</div>
      ))}
    </>
  )
}

/** The score of a device or a school; the tooltip has the three worst reasons. */
export const ReadinessBadge = ({ score, prefix = false, ...subject }: Props) => {
  const { t } = useTranslation()
  const mayRead = useHasPermission(readiness.worst.permission)
  const [isOpen, setIsOpen] = useState(false)
  const text = score === null ? '–' : String(score)
  const badge = (
    <span>
      <ToneTag tone={readinessTone(score)}>{prefix ? t('readiness.badge', { score: text }) : text}</ToneTag>
    </span>
  )
  if (score === null || !mayRead) return badge
  return (
    <Tooltip open={isOpen} onOpenChange={setIsOpen} title={isOpen ? <WorstList {...subject} /> : ' '}>
      {badge}
    </Tooltip>
  )
}
