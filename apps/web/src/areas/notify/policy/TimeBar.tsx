import type { NotifyPolicyDraft, PolicyChoices, PolicyTarget } from '@tocsin/contract/notify/policy'
import { Slider, Typography } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { enumLabel } from '#texts/enum-labels.ts'
import { useLang } from '#texts/i18n.ts'
import { findTargetName } from './targets.ts'
import { listMoments } from './told-until.ts'

const BAR_SEC = 600

const clock = (sec: number): string =>
  `${String(Math.floor(sec / 60)).padStart(2, '0')}:${String(sec % 60).padStart(2, '0')}`

type Props = { policy: Pick<NotifyPolicyDraft, 'steps' | 'loops' | 'fallback'>; choices: PolicyChoices | undefined }

/** The first ten minutes of an unclaimed alarm: the notified targets at the pointer. */
export const TimeBar = ({ policy, choices }: Props) => {
  const { t } = useTranslation()
  const lang = useLang()
  const [at, setAt] = useState(0)
  const moments = listMoments(policy)
  const nameOf = (target: PolicyTarget) => {
    if (target.kind === 'POST') return t('policy.onShift', { type: enumLabel('postType', target.postType, lang) })
    const name = findTargetName(target, choices)
    if (name !== undefined) return name
    return target.kind === 'USER'
      ? t('policy.person', { id: target.userId })
      : enumLabel('targetKind', target.kind, lang)
  }
  const names = moments.filter(({ sec }) => sec <= at).flatMap(({ targets }) => targets.map(nameOf))
  const text = names.length > 0 ? 'policy.barAt' : 'policy.barNobody'
  const marks = Object.fromEntries(moments.flatMap(({ sec }) => (sec <= BAR_SEC ? [[sec, ' ']] : [])))
  return (
    <section aria-label={t('policy.bar')}>
      <Typography.Text strong>{t('policy.bar')}</Typography.Text>
      <Slider
        min={0}
        max={BAR_SEC}
        step={10}
        value={at}
        onChange={setAt}
        marks={marks}
        tooltip={{ formatter: (sec) => clock(sec ?? 0) }}
        ariaLabelForHandle={t('policy.bar')}
      />
      <Typography.Paragraph aria-live="polite">
        {t(text, { time: clock(at), names: [...new Set(names)].join(lang === 'en' ? ', ' : '、') })}
      </Typography.Paragraph>
      <Typography.Paragraph type="secondary">{t('policy.barHelp')}</Typography.Paragraph>
    </section>
  )
}
