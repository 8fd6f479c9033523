import { DEMO_KIND, DEMO_TAGS, DemoItemDraft, type DemoItemRow } from '@tocsin/contract/system/demo/item'
import { Input, InputNumber, Select, Slider, Switch } from 'antd'
import type { ReactNode } from 'react'
import { DictSelect } from '#ui/dict/DictSelect.tsx'
import { Field } from '#ui/Field.tsx'
import { IconPicker } from '#ui/icon/IconPicker.tsx'
import { DeptChoice } from '../../DeptChoice.tsx'
import type { FormField, FormInput } from './curd.ts'
import { PictureInput, TimeInput, YuanInput } from './inputs.tsx'

const inputs: Record<FormInput, (row: DemoItemRow | undefined) => ReactNode> = {
  text: () => <Input maxLength={50} />,
  area: () => <Input.TextArea maxLength={500} showCount autoSize={{ minRows: 2 }} />,
  dict: () => <DictSelect type={DEMO_KIND} />,
  tags: () => (
    <Select mode="tags" maxCount={DEMO_TAGS} tokenSeparators={[',', ' ', '，']} open={false} suffixIcon={null} />
  ),
  url: () => <Input maxLength={200} inputMode="url" placeholder="https://" />,
  price: () => <YuanInput />,
  percent: () => <Slider min={0} max={100} />,
  icon: () => <IconPicker />,
  number: () => <InputNumber min={0} precision={0} style={{ width: '100%' }} />,
  switch: () => <Switch />,
  time: () => <TimeInput />,
  dept: (row) => <DeptChoice {...(row && { present: { id: row.deptId, name: row.deptName } })} />,
  image: (row) => <PictureInput url={row?.imageUrl} />,
}

/** The fields that the configuration names, labelled and checked by the contract. */
export const Fields = ({ fields, row }: { fields: readonly FormField[]; row?: DemoItemRow }) =>
  fields.map(({ name, input }) => (
    <Field key={name} of={DemoItemDraft} name={name} {...(input === 'switch' && { valuePropName: 'checked' })}>
      {inputs[input](row)}
    </Field>
  ))
