import { labelIn } from '@tocsin/contract/field'
import { DEMO_KIND, DemoItemDraft, type DemoItemRow } from '@tocsin/contract/demo/item'
import { Input, InputNumber, Switch } from 'antd'
import type { ReactNode } from 'react'
import { useLang } from '#texts/i18n.ts'
import { InstantPicker } from '#ui/dates/InstantPicker.tsx'
import { DictSelect } from '#ui/dict/DictSelect.tsx'
import { Field } from '#ui/Field.tsx'
import { IconPicker } from '#ui/icon/IconPicker.tsx'
import { StoredImageField } from '#ui/upload/StoredFile.tsx'
import { DeptSelect } from '#areas/access/DeptSelect.tsx'
import type { FormField, FormInput } from './crud.ts'
import { PercentInput, TagsInput, YuanInput } from './inputs.tsx'

const pictureOf = ({ imageId, imageUrl, name }: DemoItemRow) =>
  imageId === null || imageUrl === null ? null : { id: imageId, url: imageUrl, name, size: 0, type: 'image/png' }

const inputs: Record<FormInput, (row: DemoItemRow | undefined, label: string) => ReactNode> = {
  text: () => <Input maxLength={50} />,
  area: () => <Input.TextArea maxLength={500} showCount autoSize={{ minRows: 2 }} />,
  dict: () => <DictSelect type={DEMO_KIND} />,
  tags: () => <TagsInput />,
  url: () => <Input maxLength={200} inputMode="url" placeholder="https://" />,
  price: () => <YuanInput />,
  percent: (_, label) => <PercentInput label={label} />,
  icon: () => <IconPicker />,
  number: () => <InputNumber min={0} precision={0} style={{ width: '100%' }} />,
  switch: () => <Switch />,
  time: () => <InstantPicker />,
  dept: (row) => <DeptSelect {...(row && { present: { id: row.deptId, name: row.deptName } })} />,
  image: (row) => <StoredImageField made={row && pictureOf(row)} />,
}

/** The fields of the configuration, labelled and validated by the contract. */
export const Fields = ({ fields, row }: { fields: readonly FormField[]; row?: DemoItemRow }) => {
  const lang = useLang()
  return fields.map(({ name, input }) => (
    <Field key={name} of={DemoItemDraft} name={name} {...(input === 'switch' && { valuePropName: 'checked' })}>
      {inputs[input](row, labelIn(lang, DemoItemDraft.shape[name]))}
    </Field>
  ))
}
