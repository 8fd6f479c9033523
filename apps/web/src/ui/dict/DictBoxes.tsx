import { Checkbox, Radio, type RadioGroupProps } from 'antd'
import type { ComponentProps } from 'react'
import { EntryTag } from './DictTag.tsx'
import { useWordsOf } from './words.ts'

const useBoxes = (type: string) =>
  useWordsOf(type).map((entry) => ({ value: entry.value, label: <EntryTag entry={entry} /> }))

type Of = { type: string }

/** One entry in use of a dictionary, all of them in sight. */
export const DictRadio = ({ type, ...rest }: Of & Omit<RadioGroupProps, 'options'>) => (
  <Radio.Group options={useBoxes(type)} {...rest} />
)

/** Several entries in use of a dictionary, all of them in sight. */
export const DictChecks = ({ type, ...rest }: Of & Omit<ComponentProps<typeof Checkbox.Group<string>>, 'options'>) => (
  <Checkbox.Group options={useBoxes(type)} {...rest} />
)
