import type { WarnRecordRow } from '@tocsin/contract/alarm/record'
import { Button, Tooltip } from 'antd'
import { useTranslation } from 'react-i18next'
import { useLang } from '#texts/i18n.ts'
import { enumLabel } from '#texts/enum-labels.ts'
import { keyForVerb } from '../shortcuts/keymap.ts'
import { mainVerb, actionStates, type PersonVerb } from './available-actions.ts'
import type { Actions } from './use-actions.ts'
import { useChecklist } from '../../checklist/use-checklist.ts'
import { reasonText } from './reason-text.ts'

type Props = { record: WarnRecordRow; actions: Actions }

type ButtonProps = Props & { verb: PersonVerb; label: string; why?: string | undefined; main: boolean }

/** A touch screen has no keys, and the hint would cover the opened form. */
const hasKeys = () => matchMedia('(hover: hover)').matches

/** A disabled button stays focusable, so that hover, focus and touch all show the reason. */
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

/** Every verb that this user can apply to this record in its state; a blocked verb shows its reason. */
export const ActionBar = ({ record, actions }: Props) => {
  const { t } = useTranslation()
  const lang = useLang()
  const list = actionStates(record, actions.person, actions.begun(record.id))
  const { data: checklist } = useChecklist(record)
  const missing = checklist?.missing.length ?? 0
  const labelOf = (verb: PersonVerb) => {
    const label = enumLabel('verb', verb, lang)
    const isBlocked = missing > 0 && (verb === 'resolve' || verb === 'close')
    return isBlocked ? `${label} · ${t('checklist.missing', { n: missing })}` : label
  }
  const main = mainVerb(record, actionStates(record, actions.person))
  return (
    <div className="desk-actions" role="toolbar" aria-label={t('desk.actions')}>
      {list.map(({ verb, why }) => (
        <VerbButton
          key={verb}
          {...{ record, actions, verb }}
          label={labelOf(verb)}
          why={why && reasonText(why, record, lang)}
          main={verb === main}
        />
      ))}
      {list.length === 0 && <span className="desk-hint">{t('desk.noActions')}</span>}
    </div>
  )
}
