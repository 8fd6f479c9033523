import {
  type CodegenColumn,
  CodegenColumnEdit,
  type CodegenTemplate,
  exampleForms,
  type FormType,
  formTypes,
  queryTypes,
} from '@tocsin/contract/codegen/codegen'
import { formTypesOf, queryTypesOf } from '@tocsin/contract/codegen/column-options'
import { Checkbox, Form, Input, Select, Typography } from 'antd'
import type { ReactElement } from 'react'
import { useTranslation } from 'react-i18next'
import { useLang } from '#texts/i18n.ts'
import { enumOptions } from '#texts/enum-labels.ts'
import { fieldErrorTexts } from '#ui/form.ts'
import { type Editable, isFlag } from './columns-form.ts'

type Props = {
  column: CodegenColumn
  at: number
  name: Editable
  /** The label for screen readers. */
  label: string
  dicts: readonly { value: string; label: string }[]
}

const lengths: Partial<Record<Editable, number>> = { title: 20, titleEn: 40, example: 50 }

const Control = ({ name, label, options, disabled, ...rest }: ControlProps): ReactElement => {
  const given = { ...rest, 'aria-label': label, disabled }
  if (isFlag(name)) return <Checkbox {...given} />
  if (!options) return <Input {...given} maxLength={lengths[name] ?? 40} />
  return (
    <Select
      {...given}
      options={[...options]}
      allowClear={name === 'dictType'}
      showSearch={name === 'dictType' ? { optionFilterProp: 'label' } : false}
      popupMatchSelectWidth={false}
      style={{ width: '100%' }}
    />
  )
}

type ControlProps = {
  name: Editable
  label: string
  options: readonly { value: string; label: string }[] | undefined
  disabled: boolean
  /** Set by the form item. */
  id?: string
}

/** One setting of one column, with the options that the column supports. */
export const ColumnCell = ({ column, at, name, label, dicts }: Props) => {
  const { t } = useTranslation()
  const lang = useLang()
  const dictType = Form.useWatch<string | null | undefined>(['columns', at, 'dictType']) ?? null
  const template = Form.useWatch<CodegenTemplate | undefined>(['table', 'template']) ?? 'SINGLE'
  const formType = Form.useWatch<FormType | undefined>(['columns', at, 'formType'])
  const joined = Form.useWatch<string | null | undefined>(['table', 'joinColumn']) === column.columnName
  const shape = { ...column, dictType }
  const fitting = template === 'SUB' && joined ? [] : formTypesOf(shape, template)
  const forms = formTypes.filter((formType) => fitting.includes(formType))
  const operators = queryTypes.filter((queryType) => queryTypesOf(shape).includes(queryType))
  const noForm = forms.length === 0 && ['inCreate', 'inUpdate', 'required', 'formType', 'example'].includes(name)
  const noQuery = operators.length === 0 && ['inQuery', 'queryType'].includes(name)
  const options = {
    formType: enumOptions('formType', forms, lang),
    queryType: enumOptions('queryType', operators, lang),
    dictType: dicts,
  }
  const rule = {
    validator: async (_: unknown, value: unknown) => {
      const [first] = fieldErrorTexts(CodegenColumnEdit, name, value, lang)
      if (first) throw new Error(first)
    },
  }
  // The value stays unchanged, and is not used.
  if ((noForm && name === 'formType') || (noQuery && name === 'queryType'))
    return <Typography.Text type="secondary">{t(noForm ? 'codegen.noForm' : 'codegen.noQuery')}</Typography.Text>
  const fixed = name === 'required' && !column.nullable
  const noDict =
    name === 'dictType' &&
    ((column.kind !== 'TEXT' && column.kind !== 'LIST') || column.words.length > 0 || column.refers !== null)
  const noExample = name === 'example' && formType !== undefined && !exampleForms.has(formType)
  return (
    <Form.Item
      name={['columns', at, name]}
      rules={[rule]}
      {...(isFlag(name) && { valuePropName: 'checked' })}
      style={{ marginBottom: 0 }}
    >
      <Control
        name={name}
        label={label}
        options={name in options ? options[name as keyof typeof options] : undefined}
        disabled={fixed || noForm || noQuery || noDict || noExample}
      />
    </Form.Item>
  )
}
