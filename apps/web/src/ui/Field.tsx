import { labelIn } from '@tocsin/contract/field'
import { Form, type FormItemProps } from 'antd'
import type { z } from 'zod'
import { useLang } from '#texts/i18n.ts'
import { fieldErrorTexts, isRequired } from './form.ts'
import { RemoteValue, useRemoteValue } from './edit-conflict/RemoteValue.tsx'

type Props<S extends z.ZodObject> = {
  of: S
  name: keyof S['shape'] & string
  /** Its position among the rows of a Form.List. */
  row?: number
  /** For an input whose value is not yet what is sent: makes what the contract checks. */
  toSent?: (value: never) => unknown
} & Omit<FormItemProps, 'name' | 'label'>

/** A form item whose label, required mark and rule come from the contract; an unknown name does not compile. */
export const Field = <S extends z.ZodObject>({ of, name, row, toSent, rules = [], extra, ...rest }: Props<S>) => {
  const lang = useLang()
  // See fieldIssues.
  const schema = of.shape[name] as z.ZodType
  const rule = {
    validator: async (_: unknown, value: unknown) => {
      const [first] = fieldErrorTexts(of, name, toSent ? toSent(value as never) : value, lang)
      if (first) throw new Error(first)
    },
  }
  const label = labelIn(lang, schema)
  const { children, valuePropName = 'value' } = rest
  const theirs = useRemoteValue(row === undefined ? name : undefined)
  const beside = theirs && typeof children !== 'function' && (
    <RemoteValue name={name} value={theirs.value} label={label} valueProp={valuePropName}>
      {children}
    </RemoteValue>
  )
  return (
    <Form.Item
      name={row === undefined ? name : [row, name]}
      label={label}
      required={isRequired(schema)}
      rules={[rule, ...rules]}
      extra={
        beside ? (
          <>
            {extra}
            {beside}
          </>
        ) : (
          extra
        )
      }
      {...rest}
    />
  )
}
