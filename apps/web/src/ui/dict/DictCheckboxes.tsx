import { Checkbox, Radio, type RadioGroupProps } from 'antd'
import type { AriaAttributes, ComponentProps } from 'react'
import { EntryTag } from './DictTag.tsx'
import { useDictLabels } from './use-dict-labels.ts'

const useBoxes = (type: string) =>
  useDictLabels(type).map((entry) => ({ value: entry.value, label: <EntryTag entry={entry} /> }))

type Of = { type: string }

/** One entry in use of a dictionary, all of them in sight. */
export const DictRadio = ({ type, ...rest }: Of & Omit<RadioGroupProps, 'options'>) => (
  <Radio.Group options={useBoxes(type)} {...rest} />
)

type ChecksProps = Of & Omit<ComponentProps<typeof Checkbox.Group<string>>, 'options'> & AriaAttributes

/** Several entries in use of a dictionary, all of them in sight. A form says which is required, ARIA cannot of boxes. */
export const DictCheckboxes = ({ type, 'aria-required': _required, ...rest }: ChecksProps) => (
  <Checkbox.Group options={useBoxes(type)} {...rest} />
)
