import type { WarnRecordRow } from '@tocsin/contract/alarm/record'
import { Button, Tooltip } from 'antd'
import { useTranslation } from 'react-i18next'
import { useLang } from '#texts/i18n.ts'
import { enumLabel } from '#texts/enum-labels.ts'
import { keyForVerb } from '../shortcuts/keymap.ts'
import { mainVerb, actionStates, type PersonVerb } from './available-actions.ts'
import type { Actions } from './use-actions.ts'
import { reasonText } from './reason-text.ts'

type Props = { record: WarnRecordRow; actions: Actions }

type ButtonProps = Props & { verb: PersonVerb; label: string; why?: string | undefined; main: boolean }

/** A finger has no use for a key, and a hint that it opens lies over what it came for. */
const hasKeys = () => matchMedia('(hover: hover)').matches

/** Stays reachable when it cannot be pressed, so that hover, focus and touch all tell why. */
const VerbButton = ({ record, actions, verb, label, why, main }: ButtonProps) => {
  const key = keyForVerb(verb)
  const hint = why ?? (key && hasKeys() && `${label} ( ${key.toUpperCase()} )`)
  return (
    <Tooltip title={hint}>
      <Button
        type={main ? 'primary' : 'default'}
        danger={main && (verb === 'claim' || verb === 'take') && record.mode === 'LIVE'}
        autoInsertSpace={false}
        loading={actions.busy.get(record.id) === verb}
        aria-disabled={why !== undefined}
        className={why === undefined ? 'desk-verb' : 'desk-verb desk-verb-off'}
        aria-keyshortcuts={key}
        onClick={() => actions.run(verb, record)}
      >
        {label}
        {key && why === undefined && <kbd>{key.toUpperCase()}</kbd>}
      </Button>
    </Tooltip>
  )
}

/** Every act that this person can do to this record in its state; what must wait for something says for what. */
export const ActionBar = ({ record, actions }: Props) => {
  const { t } = useTranslation()
  const lang = useLang()
  const list = actionStates(record, actions.person, actions.begun(record.id))
  const main = mainVerb(record, actionStates(record, actions.person))
  return (
    <div className="desk-actions" role="toolbar" aria-label={t('desk.actions')}>
      {list.map(({ verb, why }) => (
        <VerbButton
          key={verb}
          {...{ record, actions, verb }}
          label={enumLabel('verb', verb, lang)}
          why={why && reasonText(why, record, lang)}
          main={verb === main}
        />
      ))}
      {list.length === 0 && <span className="desk-hint">{t('desk.noActions')}</span>}
    </div>
  )
}
