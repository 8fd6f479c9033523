import { DictTypeDraft, DictTypeRow, dictTypes } from '@tocsin/contract/settings/dict'
import { Input, Switch } from 'antd'
import { useTranslation } from 'react-i18next'
import { useApiMutation } from '#api/query.ts'
import { Field } from '#ui/Field.tsx'
import { toDraft } from '#ui/form.ts'
import { notify } from '#ui/notify.ts'
import { readAs } from '#ui/edit-conflict/remote-row.ts'
import { EditDrawer } from '#ui/form/EditDrawer.tsx'
import { useDictName } from './dict-name.ts'

/** Creates a dictionary, or changes the given one with a version check; its type never changes. */
export const DictTypeDrawer = ({ type, onClose }: { type: DictTypeRow | undefined; onClose: () => void }) => {
  const { t } = useTranslation()
  const nameOf = useDictName()
  const create = useApiMutation(dictTypes.create, { fieldsInline: true })
  const update = useApiMutation(dictTypes.update, { fieldsInline: true })
  const save = async (values: Record<string, unknown>, newer?: number) => {
    const draft = toDraft(DictTypeDraft, values)
    if (type) await update.mutateAsync({ body: { ...draft, id: type.id, version: newer ?? type.version } })
    else await create.mutateAsync({ body: draft })
    notify.success(t(type ? 'list.saved' : 'list.created'))
  }
  return (
    <EditDrawer
      title={type ? t('dict.editType', { name: nameOf(type) }) : t('dict.newType')}
      initialValues={type ?? { status: true }}
      save={save}
      reading={readAs(DictTypeRow)}
      onClose={onClose}
    >
      <Field of={DictTypeDraft} name="name">
        <Input maxLength={100} autoFocus={!type} />
      </Field>
      <Field of={DictTypeDraft} name="nameEn" extra={t('dict.nameEnHelp')}>
        <Input maxLength={100} />
      </Field>
      <Field of={DictTypeDraft} name="type" extra={t(type ? 'dict.typeFixed' : 'dict.typeHelp')}>
        <Input maxLength={100} disabled={type !== undefined} />
      </Field>
      <Field of={DictTypeDraft} name="status" valuePropName="checked" extra={t('dict.typeStatusHelp')}>
        <Switch />
      </Field>
      <Field of={DictTypeDraft} name="remark">
        <Input.TextArea maxLength={500} showCount autoSize={{ minRows: 2 }} />
      </Field>
    </EditDrawer>
  )
}
