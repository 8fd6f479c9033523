import { Checkbox, Radio, type RadioGroupProps } from 'antd'
import type { AriaAttributes, ComponentProps } from 'react'
import { EntryTag } from './DictTag.tsx'
import { useDictLabels } from './use-dict-labels.ts'

const useBoxes = (type: string) =>
  useDictLabels(type).map((entry) => ({ value: entry.value, label: <EntryTag entry={entry} /> }))

type Of = { type: string }

/** One enabled entry of a dictionary, all of them visible. */
export const DictRadio = ({ type, ...rest }: Of & Omit<RadioGroupProps, 'options'>) => (
  <Radio.Group options={useBoxes(type)} {...rest} />
)

type ChecksProps = Of & Omit<ComponentProps<typeof Checkbox.Group<string>>, 'options'> & AriaAttributes

/**
 * Several enabled entries of a dictionary, all of them visible. ARIA has no required state for checkboxes, so the form
 * marks it.
 */
export const DictCheckboxes = ({ type, 'aria-required': _required, ...rest }: ChecksProps) => (
  <Checkbox.Group options={useBoxes(type)} {...rest} />
)
