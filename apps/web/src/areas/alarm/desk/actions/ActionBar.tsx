import type { WarnRecordRow } from '@tocsin/contract/alarm/record'
import { Button, Tooltip } from 'antd'
import { useTranslation } from 'react-i18next'
import { useLang } from '#texts/i18n.ts'
import { enumLabel } from '#texts/enum-labels.ts'
import { notify } from '#ui/notify.ts'
import { keyForVerb } from '../shortcuts/keymap.ts'
import { mainVerb, actionStates, type PersonVerb } from './available-actions.ts'
import type { Actions } from './use-actions.ts'
import { openStepsText } from '../../checklist/open-steps.ts'
import { useChecklist } from '../../checklist/use-checklist.ts'
import { reasonText } from './reason-text.ts'

type Props = { record: WarnRecordRow; actions: Actions }

type ButtonProps = Props & {
  verb: PersonVerb
  label: string
  why?: string | undefined
  /** The open mandatory steps of the plan, while they hold the verb. */
  held?: string | undefined
  main: boolean
}

/** A touch screen has no keys, and the hint would cover the opened form. */
const hasKeys = () => matchMedia('(hover: hover)').matches

/** A disabled button stays focusable, so that hover, focus and touch all show the reason. */
const VerbButton = ({ record, actions, verb, label, why, held, main }: ButtonProps) => {
  const isOff = why !== undefined || held !== undefined
  const key = keyForVerb(verb)
  const reasons = [why, held].filter(Boolean).join(' · ')
  const hint = reasons || (key && hasKeys() && `${label} ( ${key.toUpperCase()} )`)
  return (
    <Tooltip title={hint}>
      <Button
        type={main ? 'primary' : 'default'}
        danger={main && (verb === 'claim' || verb === 'take') && record.mode === 'LIVE'}
        autoInsertSpace={false}
        loading={actions.busy.get(record.id) === verb}
        aria-disabled={isOff}
        className={isOff ? 'desk-verb desk-verb-off' : 'desk-verb'}
        aria-keyshortcuts={key}
        onClick={() => (held === undefined ? actions.run(verb, record) : notify.info(reasons))}
      >
        {label}
        {key && !isOff && <kbd>{key.toUpperCase()}</kbd>}
      </Button>
    </Tooltip>
  )
}

/** Every verb that this user can apply to this record in its state; a blocked verb shows its reason. */
export const ActionBar = ({ record, actions }: Props) => {
  const { t } = useTranslation()
  const lang = useLang()
  const begun = actions.begun(record.id)
  const list = actionStates(record, actions.person, begun)
  const { data: checklist } = useChecklist(record)
  const missing = checklist?.missing.length ?? 0
  // A form that was begun can always be opened.
  const heldBy = (verb: PersonVerb) => (begun.has(verb) ? undefined : openStepsText(verb, record, checklist, lang))
  const labelOf = (verb: PersonVerb) => {
    const label = enumLabel('verb', verb, lang)
    return heldBy(verb) === undefined ? label : `${label} · ${t('checklist.missing', { n: missing })}`
  }
  const main = mainVerb(
    record,
    actionStates(record, actions.person).filter(({ verb }) => heldBy(verb) === undefined),
  )
  const endsEmpty = heldBy('resolve') !== undefined && list.some(({ verb, why }) => verb === 'resolve' && !why)
  return (
    <div className="desk-actions" role="toolbar" aria-label={t('desk.actions')}>
      {list.map(({ verb, why }) => (
        <VerbButton
          key={verb}
          {...{ record, actions, verb }}
          label={labelOf(verb)}
          why={why && reasonText(why, record, lang)}
          held={heldBy(verb)}
          main={verb === main}
        />
      ))}
      {endsEmpty && (
        <Tooltip title={t('checklist.nobodyFoundHelp')}>
          <Button className="desk-verb" autoInsertSpace={false} onClick={() => actions.run('resolve', record)}>
            {t('checklist.nobodyFound')}
          </Button>
        </Tooltip>
      )}
      {list.length === 0 && <span className="desk-hint">{t('desk.noActions')}</span>}
    </div>
  )
}
