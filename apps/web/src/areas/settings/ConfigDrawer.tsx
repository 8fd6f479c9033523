import { ConfigDraft, ConfigRow, type ConfigType, configs, configTypes } from '@tocsin/contract/settings/config'
import { Form, Input, Radio, Switch } from 'antd'
import { useTranslation } from 'react-i18next'
import { useApiMutation } from '#api/query.ts'
import { useLang } from '#texts/i18n.ts'
import { enumOptions } from '#texts/enum-labels.ts'
import { Field } from '#ui/Field.tsx'
import { toDraft } from '#ui/form.ts'
import { notify } from '#ui/notify.ts'
import { readAs } from '#ui/edit-conflict/remote-row.ts'
import { EditDrawer } from '#ui/form/EditDrawer.tsx'
import { ValueInput } from './ValueInput.tsx'

/** In the form every value is text. */
const ValueField = ({ limits }: { limits: ConfigRow['limits'] }) => {
  const { t } = useTranslation()
  const valueType: ConfigType = Form.useWatch('valueType') ?? 'STRING'
  const { min, max, url } = limits ?? {}
  const bounds = min !== undefined && max !== undefined ? t('config.bounds', { min, max }) : undefined
  const rule = {
    validator: async (_: unknown, value: string | null) => {
      if (valueType !== 'INT' || !value) return
      if (!/^-?\d{1,15}$/.test(value)) throw new Error(bounds ?? t('config.whole'))
      if ((min !== undefined && Number(value) < min) || (max !== undefined && Number(value) > max))
        throw new Error(bounds)
    },
  }
  return (
    <Field of={ConfigDraft} name="value" rules={[rule]} extra={bounds ?? (url && t('config.urlHelp'))}>
      <ValueInput valueType={valueType} limits={limits} />
    </Field>
  )
}

const TypeField = ({ fixed }: { fixed: boolean }) => {
  const { t } = useTranslation()
  const lang = useLang()
  const form = Form.useFormInstance()
  return (
    <Field of={ConfigDraft} name="valueType" {...(fixed && { extra: t('config.fixed') })}>
      <Radio.Group
        disabled={fixed}
        options={enumOptions('configType', configTypes, lang)}
        // Input for one type is meaningless in another.
        onChange={({ target }) => form.setFieldValue('value', target.value === 'BOOLEAN' ? 'false' : undefined)}
      />
    </Field>
  )
}

/** Creates a setting, or changes the given one; key and type of a built-in one stay. */
export const ConfigDrawer = ({ setting, onClose }: { setting: ConfigRow | undefined; onClose: () => void }) => {
  const { t } = useTranslation()
  const lang = useLang()
  const create = useApiMutation(configs.create, { fieldsInline: true })
  const update = useApiMutation(configs.update, { fieldsInline: true })
  const fixed = setting?.type ?? false
  const save = async (values: Record<string, unknown>, newer?: number) => {
    const draft = toDraft(ConfigDraft, values)
    if (setting) await update.mutateAsync({ body: { ...draft, id: setting.id, version: newer ?? setting.version } })
    else await create.mutateAsync({ body: draft })
    notify.success(t(setting ? 'list.saved' : 'list.created'))
  }
  // A built-in setting has seeded names in both languages, until a user writes one for both.
  const inEnglish = (text: string | null | undefined) => text && t('config.inEnglish', { text })
  const name = (lang === 'en' && setting?.nameEn) || setting?.name
  return (
    <EditDrawer
      title={name ? t('config.editOf', { name }) : t('config.new')}
      initialValues={setting ?? { visible: true, valueType: 'STRING' }}
      save={save}
      reading={readAs(ConfigRow)}
      onClose={onClose}
    >
      <Field of={ConfigDraft} name="category" extra={t('config.categoryHelp')}>
        <Input maxLength={50} autoFocus={!setting} />
      </Field>
      <Field of={ConfigDraft} name="name" extra={inEnglish(setting?.nameEn)}>
        <Input maxLength={100} />
      </Field>
      <Field of={ConfigDraft} name="key" extra={t(fixed ? 'config.fixed' : 'config.keyHelp')}>
        <Input maxLength={100} disabled={fixed} />
      </Field>
      <TypeField fixed={fixed} />
      <ValueField limits={setting?.limits ?? null} />
      <Field of={ConfigDraft} name="visible" valuePropName="checked" extra={t('config.visibleHelp')}>
        <Switch />
      </Field>
      <Field of={ConfigDraft} name="remark" extra={inEnglish(setting?.remarkEn)}>
        <Input.TextArea maxLength={500} showCount autoSize={{ minRows: 2 }} />
      </Field>
    </EditDrawer>
  )
}
