import { useTranslation } from 'react-i18next'
import { useUnsavedGuard } from '#ui/form/unsaved-guard.ts'
import { useLang } from '#texts/i18n.ts'
import { enumLabel } from '#texts/enum-labels.ts'
import { formatPlace } from '../format-place.ts'
import type { Panel } from './use-panel.ts'

type Props = { lying: readonly Panel[]; onOpen: (panel: Panel) => void; onGo: (id: number) => void }

/**
 * While the desk has unsent input, leaving the page asks first. Lists the drafts with links, because the list may no
 * longer contain their records.
 */
export const UnsentDrafts = ({ lying, onOpen, onGo }: Props) => {
  const { t } = useTranslation()
  const lang = useLang()
  useUnsavedGuard(() => true)
  if (lying.length === 0) return null
  const resume = (panel: Panel) => {
    onOpen(panel)
    onGo(panel.record.id)
  }
  return (
    <p className="desk-unsent">
      {t('desk.unsent')}
      {lying.map((panel) => (
        <button key={`${panel.record.id} ${panel.verb}`} type="button" onClick={() => resume(panel)}>
          {enumLabel('verb', panel.verb, lang)} · {formatPlace(panel.record) || panel.record.no}
        </button>
      ))}
    </p>
  )
}
