import { callees } from '@tocsin/contract/device/procedure/callee'
import {
  type ProcedureKind,
  ProcedureStep,
  stepActions,
  stepEvidences,
  stepRoles,
} from '@tocsin/contract/device/procedure/procedure'
import { labelIn } from '@tocsin/contract/field'
import { Flex, Form, Input, InputNumber, Select, Switch } from 'antd'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { enumOptions } from '#texts/enum-labels.ts'
import { useLang } from '#texts/i18n.ts'

type Name = keyof ProcedureStep & keyof typeof ProcedureStep.shape

type ItemProps = { name: Name; required?: boolean; error?: string | undefined; children: ReactNode }

/** A labelled control of a step; the value is in the state of the editor. */
const Item = ({ name, required = false, error, children }: ItemProps) => {
  const lang = useLang()
  return (
    <Form.Item
      label={labelIn(lang, ProcedureStep.shape[name])}
      htmlFor={`step-${name}`}
      required={required}
      style={{ flex: '1 1 140px' }}
      {...(error !== undefined && { validateStatus: 'error', help: error })}
    >
      {children}
    </Form.Item>
  )
}

type Props = {
  kind: ProcedureKind
  step: ProcedureStep
  isChecked: boolean
  onChange: (change: Partial<ProcedureStep>) => void
}

const Limits = ({ step, onChange }: Pick<Props, 'step' | 'onChange'>) => (
  <Flex gap="middle" wrap>
    <Item name="unit">
      <Input
        id="step-unit"
        maxLength={10}
        value={step.unit ?? ''}
        onChange={({ target }) => onChange({ unit: target.value || null })}
      />
    </Item>
    <Item name="min">
      <InputNumber id="step-min" value={step.min} onChange={(min) => onChange({ min })} />
    </Item>
    <Item name="max">
      <InputNumber id="step-max" value={step.max} onChange={(max) => onChange({ max })} />
    </Item>
  </Flex>
)

/** Every field of the chosen step. */
export const StepFields = ({ kind, step, isChecked, onChange }: Props) => {
  const { t } = useTranslation()
  const lang = useLang()
  const missing = (text: string) => (isChecked && text.trim() === '' ? t('procedure.textMissing') : undefined)
  return (
    <Form layout="vertical" component="div">
      <Item name="text" required error={missing(step.text)}>
        <Input.TextArea
          id="step-text"
          maxLength={200}
          autoSize={{ minRows: 2 }}
          value={step.text}
          onChange={({ target }) => onChange({ text: target.value })}
        />
      </Item>
      <Item name="textEn" required error={missing(step.textEn)}>
        <Input.TextArea
          id="step-textEn"
          maxLength={200}
          autoSize={{ minRows: 2 }}
          value={step.textEn}
          onChange={({ target }) => onChange({ textEn: target.value })}
        />
      </Item>
      <Flex gap="middle" wrap>
        <Item name="role">
          <Select
            id="step-role"
            value={step.role}
            options={enumOptions('stepRole', stepRoles, lang)}
            onChange={(role) => onChange({ role })}
          />
        </Item>
        <Item name="targetSec">
          <InputNumber
            id="step-targetSec"
            min={1}
            max={7200}
            precision={0}
            value={step.targetSec}
            onChange={(targetSec) => onChange({ targetSec })}
          />
        </Item>
      </Flex>
      <Flex gap="middle" wrap>
        {kind === 'RESPONSE' && (
          <Item name="action">
            <Select
              id="step-action"
              value={step.action}
              options={enumOptions('stepAction', stepActions, lang)}
              onChange={(action) => onChange({ action, callee: action === 'CALL' ? 'DUTY_PHONE' : null })}
            />
          </Item>
        )}
        {step.action === 'CALL' && (
          <Item name="callee" required error={isChecked && !step.callee ? t('procedure.calleeMissing') : undefined}>
            <Select
              id="step-callee"
              value={step.callee}
              options={enumOptions('callee', callees, lang)}
              onChange={(callee) => onChange({ callee })}
            />
          </Item>
        )}
        {kind === 'WORK' && (
          <Item name="evidence">
            <Select
              id="step-evidence"
              value={step.evidence}
              options={enumOptions('stepEvidence', stepEvidences, lang)}
              onChange={(evidence) =>
                onChange({ evidence, ...(evidence !== 'READING' && { unit: null, min: null, max: null }) })
              }
            />
          </Item>
        )}
        <Item name="mandatory">
          <Switch id="step-mandatory" checked={step.mandatory} onChange={(mandatory) => onChange({ mandatory })} />
        </Item>
      </Flex>
      {step.evidence === 'READING' && <Limits step={step} onChange={onChange} />}
    </Form>
  )
}
