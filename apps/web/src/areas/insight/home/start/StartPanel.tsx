import { homeStart } from '@tocsin/contract/insight/home/start-steps'
import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { inlineQuery } from '#api/query.ts'
import { usePathOf } from '#shell/path-of.ts'
import { enumLabel } from '#texts/enum-labels.ts'
import { useLang } from '#texts/i18n.ts'
import { ToneTag } from '#ui/tone/ToneTag.tsx'
import { EVERY_MS } from '../cards/refresh.ts'
import { Panel } from '../Panel.tsx'
import { CardRow } from '../parts/CardRow.tsx'
import { isComplete, toProgress } from './start-progress.ts'

/** The steps from an empty installation to its first button. Whoever saw some undone is told when all are done. */
export const StartPanel = () => {
  const { t } = useTranslation()
  const lang = useLang()
  const pathOf = usePathOf()
  const [wasOpen, setWasOpen] = useState(false)
  const { data } = useQuery({
    ...inlineQuery(homeStart.get),
    // No event tells that a department was created.
    refetchInterval: ({ state }) => state.data !== undefined && !isComplete(state.data) && EVERY_MS,
  })
  const isOpen = data !== undefined && !isComplete(data)
  if (isOpen && !wasOpen) setWasOpen(true)
  if (!data || !(isOpen || wasOpen)) return null
  const close = !isOpen && (
    <Button size="small" onClick={() => setWasOpen(false)}>
      {t('home.startClose')}
    </Button>
  )
  return (
    <Panel title={t('home.start')} extra={close}>
      <p className="home-name" role="status" style={{ margin: '0 0 8px' }}>
        {t(isOpen ? 'home.startHelp' : 'home.startDone')}
      </p>
      <ol className="home-notices">
        {toProgress(data, pathOf).map(({ step, isDone, count, to }, at) => (
          <CardRow
            key={step}
            tag={<ToneTag tone={isDone ? 'done' : 'wait'}>{t(isDone ? 'home.stepDone' : 'home.stepOpen')}</ToneTag>}
            name={`${at + 1}. ${enumLabel('startStep', step, lang)}`}
            to={to}
            {...(count && { more: t('home.stepCount', { n: count }) })}
          />
        ))}
      </ol>
    </Panel>
  )
}
