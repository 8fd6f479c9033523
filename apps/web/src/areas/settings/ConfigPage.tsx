import { ConfigDraft, type ConfigRow, configs } from '@tocsin/contract/settings/config'
import { Button, Select, Tag } from 'antd'
import { useTranslation } from 'react-i18next'
import { useApiMutation } from '#api/query.ts'
import { HasPerm } from '#ui/permission/HasPerm.tsx'
import { localName } from '#ui/cell/LocalName.tsx'
import { EntityPage } from '#ui/entity/EntityPage.tsx'
import type { EntityColumn } from '#ui/entity/entity-types.ts'
import { notify } from '#ui/notify.ts'
import { TypeField, ValueField } from './ConfigFields.tsx'
import { NameText, RemarkText, ValueText } from './ConfigText.tsx'

const BuiltIn = ({ yes }: { yes: boolean }) => {
  const { t } = useTranslation()
  return <Tag color={yes ? 'blue' : 'default'}>{t(yes ? 'config.builtIn' : 'config.own')}</Tag>
}

const columns: readonly EntityColumn<ConfigRow>[] = [
  'id',
  { name: 'name', show: (_, setting) => <NameText setting={setting} /> },
  { name: 'category', wideOnly: true },
  { name: 'key', show: (key) => <code className="breaks">{key}</code> },
  { name: 'value', show: (_, setting) => <ValueText setting={setting} /> },
  'visible',
  { name: 'type', show: (builtIn) => <BuiltIn yes={builtIn} /> },
  { name: 'remark', show: (_, setting) => <RemarkText setting={setting} /> },
  'createTime',
]

const OriginSelect = (rest: object) => {
  const { t } = useTranslation()
  const options = [
    { value: '1', label: t('config.builtIn') },
    { value: '2', label: t('config.own') },
  ]
  return <Select allowClear placeholder={t('list.all')} options={options} {...rest} />
}

const RefreshButton = () => {
  const { t } = useTranslation()
  const refresh = useApiMutation(configs.refresh)
  const run = () => refresh.mutate({}, { onSuccess: () => notify.success(t('config.refreshed')) })
  return (
    <Button loading={refresh.isPending} onClick={run}>
      {t('config.refresh')}
    </Button>
  )
}

/** Settings that apply while the server runs; key and type of a built-in one stay. */
export const ConfigPage = () => {
  const { t } = useTranslation()
  const inEnglish = (text: string | null | undefined) => text && t('config.inEnglish', { text })
  return (
    <EntityPage
      of={configs}
      draft={ConfigDraft}
      nameOf={(setting, lang) => `${localName(setting, lang)} (${setting.key})`}
      columns={columns}
      filters={['category', 'name', 'key', { name: 'type', control: <OriginSelect /> }, 'createTime']}
      fields={(setting) => [
        {
          group: t('config.group'),
          hint: t('config.groupHint'),
          fields: [
            { name: 'category', help: t('config.categoryHelp') },
            // A built-in setting has seeded names in both languages, until a user writes one for both.
            { name: 'name', help: inEnglish(setting?.nameEn) },
            {
              name: 'key',
              help: t(setting?.type ? 'config.fixed' : 'config.keyHelp'),
              disabled: setting?.type ?? false,
            },
          ],
        },
        {
          group: t('config.valueGroup'),
          hint: t('config.valueGroupHint'),
          fields: [
            <TypeField key="type" fixed={setting?.type ?? false} />,
            <ValueField key="value" limits={setting?.limits ?? null} />,
            { name: 'visible', help: t('config.visibleHelp') },
          ],
        },
        { name: 'remark', help: inEnglish(setting?.remarkEn) },
      ]}
      initial={{ visible: true, valueType: 'STRING' }}
      left={
        <HasPerm perms="infra:config:refresh">
          <RefreshButton />
        </HasPerm>
      }
      whyKept={({ type }) => (type ? t('config.builtInHelp') : undefined)}
    />
  )
}
