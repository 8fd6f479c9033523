import { DeleteOutlined, PlusOutlined } from '@ant-design/icons'
import { warnClasses } from '@tocsin/contract/alarm-class'
import { labelIn } from '@tocsin/contract/field'
import {
  MAX_POLICY_LOOPS,
  MAX_POLICY_STEPS,
  MAX_STEP_SEC,
  type NotifyPolicyDraft,
  NotifyPolicyDraft as Draft,
  type PolicyChoices,
  PolicyFallback,
  PolicyStep,
} from '@tocsin/contract/notify/policy'
import { Button, Card, Flex, Form, Input, InputNumber, Select, Switch } from 'antd'
import { useTranslation } from 'react-i18next'
import { DeptSelect } from '#areas/access/DeptSelect.tsx'
import { enumLabel, enumOptions } from '#texts/enum-labels.ts'
import { useLang } from '#texts/i18n.ts'
import { Field } from '#ui/Field.tsx'
import { FormGroup } from '#ui/form/FormGroup.tsx'
import { ChannelSelect, TargetSelect } from './StepInputs.tsx'
import { TimeBar } from './TimeBar.tsx'

type Props = { choices: PolicyChoices | undefined }
type Name = string | number

const Recipients = ({ at, choices }: Props & { at: Name[] }) => {
  const { t } = useTranslation()
  const needed = (message: string) => ({ required: true, type: 'array' as const, min: 1, message })
  const lang = useLang()
  return (
    <>
      <Form.Item
        name={[...at, 'targets']}
        label={labelIn(lang, PolicyFallback.shape.targets)}
        rules={[needed(t('policy.targetMissing'))]}
      >
        <TargetSelect choices={choices} />
      </Form.Item>
      <Form.Item
        name={[...at, 'channels']}
        label={labelIn(lang, PolicyFallback.shape.channels)}
        rules={[needed(t('policy.channelMissing'))]}
      >
        <ChannelSelect choices={choices} />
      </Form.Item>
    </>
  )
}

const Steps = ({ choices }: Props) => {
  const { t } = useTranslation()
  const lang = useLang()
  return (
    <Form.List name="steps">
      {(rows, { add, remove }) => (
        <Flex vertical gap="small">
          {rows.map((row) => (
            <Card key={row.key} size="small">
              <Flex justify="space-between" align="start" gap="small">
                <Form.Item
                  name={[row.name, 'afterSec']}
                  label={labelIn(lang, PolicyStep.shape.afterSec)}
                  rules={[{ required: true, message: t('policy.secMissing') }]}
                >
                  <InputNumber min={0} max={MAX_STEP_SEC} precision={0} />
                </Form.Item>
                {rows.length > 1 && (
                  <Button
                    type="text"
                    icon={<DeleteOutlined />}
                    aria-label={t('policy.removeStep')}
                    title={t('policy.removeStep')}
                    onClick={() => remove(row.name)}
                  />
                )}
              </Flex>
              <Recipients at={[row.name]} choices={choices} />
            </Card>
          ))}
          {rows.length < MAX_POLICY_STEPS && (
            <Button icon={<PlusOutlined />} onClick={() => add({ targets: [], channels: ['INAPP', 'SMS'] })}>
              {t('policy.addStep')}
            </Button>
          )}
        </Flex>
      )}
    </Form.List>
  )
}

/** Renders the timeline once the form is complete enough. */
const FormTimeBar = ({ choices }: Props) => {
  const form = Form.useFormInstance()
  const values = (Form.useWatch([], form) ?? {}) as Partial<NotifyPolicyDraft>
  const complete = (step: { targets?: unknown; channels?: unknown } | undefined) =>
    Array.isArray(step?.targets) && Array.isArray(step.channels)
  const steps = (values.steps ?? []).filter((step) => complete(step) && typeof step.afterSec === 'number')
  const fallback = values.fallback && complete(values.fallback) ? values.fallback : { targets: [], channels: [] }
  return <TimeBar policy={{ steps, loops: values.loops ?? 0, fallback }} choices={choices} />
}

/** Every field of an escalation policy. */
export const PolicyFields = ({ choices }: Props) => {
  const { t } = useTranslation()
  const lang = useLang()
  return (
    <>
      <FormGroup title={t('policy.group')} hint={t('policy.groupHint')}>
        <Field of={Draft} name="name">
          <Input maxLength={64} />
        </Field>
        <Field of={Draft} name="enabled" valuePropName="checked">
          <Switch />
        </Field>
        <Field of={Draft} name="class" extra={t('policy.everyClassHelp')}>
          <Select
            allowClear
            placeholder={t('policy.everyClass')}
            options={enumOptions('warnClass', warnClasses, lang)}
          />
        </Field>
        <Field of={Draft} name="level">
          <Select options={[1, 2, 3, 4].map((value) => ({ value, label: enumLabel('level', value, lang) }))} />
        </Field>
        <Field of={Draft} name="deptId" extra={t('policy.everywhereHelp')}>
          <DeptSelect allowClear placeholder={t('policy.everywhere')} />
        </Field>
      </FormGroup>
      <FormTimeBar choices={choices} />
      <FormGroup title={t('policy.steps')} hint={t('policy.channelsHelp')}>
        <Steps choices={choices} />
        <Field of={Draft} name="loops" extra={t('policy.loopsHelp')} style={{ marginTop: 16 }}>
          <InputNumber min={0} max={MAX_POLICY_LOOPS} precision={0} />
        </Field>
      </FormGroup>
      <FormGroup title={t('policy.fallback')} hint={t('policy.fallbackHint')}>
        <Recipients at={['fallback']} choices={choices} />
      </FormGroup>
    </>
  )
}
