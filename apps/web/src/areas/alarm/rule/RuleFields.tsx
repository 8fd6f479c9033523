import { timerDefaults } from '@tocsin/contract/alarm/state-machine'
import { dedupKinds, ruleConditions, ruleSchedules, WarnRuleDraft, warnClasses } from '@tocsin/contract/alarm/rule'
import { Form, type FormInstance, Input, InputNumber, Select, type SelectProps, Switch } from 'antd'
import { useTranslation } from 'react-i18next'
import { useHasPermission } from '#api/session.ts'
import { ModelSelect } from '#areas/device/ModelSelect.tsx'
import { DeptSelect } from '#areas/school/DeptSelect.tsx'
import { SchoolSelect } from '#ui/SchoolSelect.tsx'
import { useLang } from '#texts/i18n.ts'
import { type EnumKind, enumLabel, enumOptions, enumValues } from '#texts/enum-labels.ts'
import { Field } from '#ui/Field.tsx'
import { FormGroup } from '#ui/form/FormGroup.tsx'
import { toDraft } from '#ui/form.ts'
import { type RuleProblem, ruleProblems } from './rule-draft.ts'

const Choice = ({ kind, values, ...rest }: { kind: EnumKind; values: readonly string[] } & SelectProps) => (
  <Select options={enumOptions(kind, values, useLang())} placeholder={useTranslation().t('list.choose')} {...rest} />
)

/** Known codes by name; devices of other manufacturers may have others. */
const CodeChoice = (rest: SelectProps) => {
  const { t } = useTranslation()
  const lang = useLang()
  const options = enumValues('alarmCode').map((value) => ({
    value,
    label: `${enumLabel('alarmCode', value, lang)} ${value}`,
  }))
  return (
    <Select
      mode="tags"
      options={options}
      tokenSeparators={[',', ' ']}
      placeholder={t('list.choose')}
      showSearch={{ optionFilterProp: 'label' }}
      {...rest}
    />
  )
}

const Seconds = (rest: object) => <InputNumber min={0} precision={0} style={{ width: '100%' }} {...rest} />

const timers = [
  ['t1Sec', 'T1'],
  ['t2Sec', 'T2'],
  ['t3Sec', 'T3'],
  ['t4Sec', 'T4'],
  ['t5Sec', 'T5'],
] as const

const TimerField = ({ name, step }: { name: (typeof timers)[number][0]; step: (typeof timers)[number][1] }) => {
  const { t } = useTranslation()
  const [a, b, c, d] = timerDefaults[step].map((seconds) => seconds ?? t('alarm.noTimer'))
  const help = `${t(`ruleHelp.${name}`)} ${t('alarm.timerDefault', { a, b, c, d })}`
  return (
    <Field of={WarnRuleDraft} name={name} extra={help}>
      <Seconds />
    </Field>
  )
}

const useHelp = () => {
  const { t } = useTranslation()
  return (name: Exclude<keyof WarnRuleDraft, 'id'>) => ({ of: WarnRuleDraft, name, extra: t(`ruleHelp.${name}`) })
}

/** The check over several fields that concerns this one. */
const useFieldCheck = () => {
  const { t } = useTranslation()
  return (name: RuleProblem['name']) => [
    ({ getFieldsValue }: Pick<FormInstance, 'getFieldsValue'>) => ({
      validator: async () => {
        const problems = ruleProblems(toDraft(WarnRuleDraft, getFieldsValue(true)))
        const problem = problems.find((found) => found.name === name)
        if (problem) throw new Error(t(problem.text))
      },
    }),
  ]
}

const MatchFields = () => {
  const help = useHelp()
  const check = useFieldCheck()
  const condition = Form.useWatch('condition')
  return (
    <>
      <Field {...help('matchCodes')}>
        <CodeChoice />
      </Field>
      <Field {...help('condition')}>
        <Choice kind="ruleCondition" values={ruleConditions} />
      </Field>
      {condition === 'REPEAT' && (
        <Field {...help('repeatCount')} rules={check('repeatCount')}>
          <Seconds />
        </Field>
      )}
      {condition !== 'INSTANT' && (
        <Field {...help('withinSec')} rules={check('withinSec')}>
          <Seconds />
        </Field>
      )}
      <Field {...help('minConfidence')}>
        <InputNumber min={0} max={1} step={0.05} style={{ width: '100%' }} />
      </Field>
      <Field {...help('minDb')}>
        <InputNumber min={0} max={200} style={{ width: '100%' }} />
      </Field>
      <Field {...help('recoverCodes')}>
        <CodeChoice />
      </Field>
    </>
  )
}

/** A select of one value serves several: antd hands `mode` through. */
const several = { mode: 'multiple' as const, maxTagCount: 5, allowClear: true }

const LimitFields = () => {
  const help = useHelp()
  const mayReadDepts = useHasPermission('school:school:query')
  const mayReadModels = useHasPermission('device:model:query')
  return (
    <>
      {mayReadDepts && (
        <Field {...help('deptIds')}>
          <DeptSelect of="districts" {...several} />
        </Field>
      )}
      <Field {...help('schoolIds')}>
        <SchoolSelect {...several} />
      </Field>
      {mayReadModels && (
        <Field {...help('modelIds')}>
          <ModelSelect {...several} />
        </Field>
      )}
      <Field {...help('schedule')}>
        <Choice kind="ruleSchedule" values={ruleSchedules} />
      </Field>
    </>
  )
}

const ResultFields = () => {
  const { t } = useTranslation()
  const help = useHelp()
  const check = useFieldCheck()
  const lang = useLang()
  return (
    <>
      <Field {...help('class')}>
        <Choice kind="warnClass" values={warnClasses} />
      </Field>
      <Field {...help('level')}>
        <Select
          options={[1, 2, 3, 4].map((value) => ({ value, label: enumLabel('level', value, lang) }))}
          placeholder={t('list.choose')}
        />
      </Field>
      <Field {...help('dedupBy')}>
        <Choice kind="dedup" values={dedupKinds} />
      </Field>
      <Field {...help('reopenWindowSec')}>
        <Seconds />
      </Field>
      <Field {...help('autoRecover')} valuePropName="checked" rules={check('autoRecover')}>
        <Switch />
      </Field>
    </>
  )
}

/** Every field of a rule with its explanation. */
export const RuleFields = () => {
  const { t } = useTranslation()
  const help = useHelp()
  const form = Form.useFormInstance()
  const hasTimers = timers.some(([name]) => typeof form.getFieldValue(name) === 'number')
  return (
    <>
      <FormGroup title={t('alarm.ruleGroup')} hint={t('alarm.ruleGroupHint')}>
        <Field {...help('name')}>
          <Input maxLength={64} showCount />
        </Field>
        <Field {...help('nameEn')}>
          <Input maxLength={64} />
        </Field>
        <Field {...help('enabled')} valuePropName="checked">
          <Switch />
        </Field>
        <Field {...help('shadow')} valuePropName="checked">
          <Switch />
        </Field>
        <Field {...help('priority')}>
          <Seconds />
        </Field>
      </FormGroup>
      <FormGroup title={t('alarm.ruleMatch')} hint={t('alarm.ruleMatchHint')}>
        <MatchFields />
      </FormGroup>
      <FormGroup title={t('ruleTrial.limits')} hint={t('alarm.ruleLimitsHint')}>
        <LimitFields />
      </FormGroup>
      <FormGroup title={t('alarm.ruleResult')} hint={t('alarm.ruleResultHint')}>
        <ResultFields />
      </FormGroup>
      <FormGroup title={t('alarm.ruleTimers')} hint={t('alarm.ruleTimersHint')} rare={!hasTimers}>
        {timers.map(([name, step]) => (
          <TimerField key={name} name={name} step={step} />
        ))}
      </FormGroup>
    </>
  )
}
