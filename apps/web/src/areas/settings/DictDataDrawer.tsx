import { colorTypes, DictDataDraft, DictDataRow, dictDatas } from '@tocsin/contract/settings/dict'
import { Form, Input, InputNumber, Select, Switch } from 'antd'
import { useTranslation } from 'react-i18next'
import { useApiMutation } from '#api/query.ts'
import { useLang } from '#texts/i18n.ts'
import { EntryTag } from '#ui/dict/DictTag.tsx'
import { Field } from '#ui/Field.tsx'
import { toDraft } from '#ui/form.ts'
import { notify } from '#ui/notify.ts'
import { readAs } from '#ui/edit-conflict/remote-row.ts'
import { EditDrawer } from '#ui/form/EditDrawer.tsx'
import { dictColors } from './colors.ts'

const ColorChoice = (rest: { value?: DictDataRow['colorType']; onChange?: (color: string) => void; id?: string }) => {
  const { t } = useTranslation()
  const options = colorTypes.map((color) => ({
    value: color,
    label: <EntryTag entry={{ label: t(dictColors[color]), colorType: color, cssClass: null }} />,
  }))
  return <Select allowClear options={options} {...rest} />
}

/** A preview of the tag while it is typed. */
const Preview = () => {
  const { t } = useTranslation()
  const label: string | undefined = Form.useWatch('label')
  const colorType: DictDataRow['colorType'] = Form.useWatch('colorType') ?? null
  const cssClass: string | null = Form.useWatch('cssClass') ?? null
  return (
    <Form.Item label={t('dict.preview')}>
      <EntryTag entry={{ label: label?.trim() || t('dict.previewText'), colorType, cssClass }} />
    </Form.Item>
  )
}

type Props = {
  /** Undefined for a new one. */
  entry: DictDataRow | undefined
  dictType: string
  onClose: () => void
}

export const DictDataDrawer = ({ entry, dictType, onClose }: Props) => {
  const { t } = useTranslation()
  const lang = useLang()
  const create = useApiMutation(dictDatas.create, { fieldsInline: true })
  const update = useApiMutation(dictDatas.update, { fieldsInline: true })
  const save = async (values: Record<string, unknown>, newer?: number) => {
    const draft = toDraft(DictDataDraft, values)
    if (entry) await update.mutateAsync({ body: { ...draft, id: entry.id, version: newer ?? entry.version } })
    else await create.mutateAsync({ body: draft })
    notify.success(t(entry ? 'list.saved' : 'list.created'))
  }
  return (
    <EditDrawer
      title={
        entry ? t('dict.editEntry', { name: (lang === 'en' && entry.labelEn) || entry.label }) : t('dict.newEntry')
      }
      initialValues={entry ?? { dictType, status: true, sort: 1, colorType: 'default' }}
      save={save}
      reading={readAs(DictDataRow)}
      onClose={onClose}
    >
      <Field of={DictDataDraft} name="dictType">
        <Input disabled />
      </Field>
      <Field of={DictDataDraft} name="label">
        <Input maxLength={100} autoFocus={!entry} />
      </Field>
      <Field of={DictDataDraft} name="labelEn" extra={t('dict.labelEnHelp')}>
        <Input maxLength={100} />
      </Field>
      <Field of={DictDataDraft} name="value" extra={t('dict.valueHelp')}>
        <Input maxLength={100} />
      </Field>
      <Field of={DictDataDraft} name="sort" extra={t('system.sortHelp')}>
        <InputNumber min={0} precision={0} style={{ width: '100%' }} />
      </Field>
      <Field of={DictDataDraft} name="status" valuePropName="checked" extra={t('dict.entryStatusHelp')}>
        <Switch />
      </Field>
      <Field of={DictDataDraft} name="colorType">
        <ColorChoice />
      </Field>
      <Field of={DictDataDraft} name="cssClass" extra={t('dict.cssHelp')}>
        <Input maxLength={100} />
      </Field>
      <Preview />
      <Field of={DictDataDraft} name="remark">
        <Input.TextArea maxLength={500} showCount autoSize={{ minRows: 2 }} />
      </Field>
    </EditDrawer>
  )
}
