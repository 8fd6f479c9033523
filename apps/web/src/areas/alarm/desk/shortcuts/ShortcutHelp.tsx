import { useTranslation } from 'react-i18next'
import { useLang } from '#texts/i18n.ts'
import { enumLabel } from '#texts/enum-labels.ts'
import { AppModal } from '#ui/AppModal.tsx'
import { type Action, keymap } from './keymap.ts'

const shown: Record<string, string> = { ArrowDown: '↓', ArrowUp: '↑', Escape: 'Esc' }

const names = {
  next: 'desk.key_next',
  previous: 'desk.key_previous',
  nextNew: 'desk.key_nextNew',
  mine: 'desk.key_mine',
  filter: 'desk.key_filter',
  help: 'desk.key_help',
  back: 'desk.key_back',
} as const

const idOf = (action: Action): string => (action.kind === 'verb' ? action.verb : action.kind)

/** All keys of the desk, one line for each action. */
export const ShortcutHelp = ({ open, onClose }: { open: boolean; onClose: () => void }) => {
  const { t } = useTranslation()
  const lang = useLang()
  const acts = [...new Map(Object.values(keymap).map((action) => [idOf(action), action])).values()]
  const keysOf = (action: Action) =>
    Object.entries(keymap)
      .filter(([, item]) => idOf(item) === idOf(action))
      .map(([key]) => shown[key] ?? key.toUpperCase())
  return (
    <AppModal open={open} onCancel={onClose} footer={null} title={t('desk.keys')} width={420}>
      <dl className="desk-keys">
        {acts.map((action) => (
          <div key={idOf(action)}>
            <dt>
              {keysOf(action).map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{action.kind === 'verb' ? enumLabel('verb', action.verb, lang) : t(names[action.kind])}</dd>
          </div>
        ))}
      </dl>
    </AppModal>
  )
}
