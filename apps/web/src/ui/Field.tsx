import { labelIn } from '@tocsin/contract/field'
import { Form, type FormItemProps } from 'antd'
import type { z } from 'zod'
import { useLang } from '#texts/i18n.ts'
import { fieldIssues, isRequired } from './form.ts'

type Props<S extends z.ZodObject> = {
  of: S
  name: keyof S['shape'] & string
  /** Where it stands among the rows of a Form.List. */
  row?: number
} & Omit<FormItemProps, 'name' | 'label'>

/** A form item whose label, requiredness and rule come from the contract; a name it does not have does not compile. */
export const Field = <S extends z.ZodObject>({ of, name, row, rules = [], ...rest }: Props<S>) => {
  const lang = useLang()
  // See fieldIssues.
  const schema = of.shape[name] as z.ZodType
  const rule = {
    validator: async (_: unknown, value: unknown) => {
      const [first] = fieldIssues(of, name, value, lang)
      if (first) throw new Error(first)
    },
  }
  return (
    <Form.Item
      name={row === undefined ? name : [row, name]}
      label={labelIn(lang, schema)}
      required={isRequired(schema)}
      rules={[rule, ...rules]}
      {...rest}
    />
  )
}
