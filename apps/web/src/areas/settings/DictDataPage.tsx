import { ArrowLeftOutlined } from '@ant-design/icons'
import { useQuery } from '@tanstack/react-query'
import { DictDataDraft, type DictDataRow, dictDatas, dictTypes } from '@tocsin/contract/settings/dict'
import { Button, Select } from 'antd'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate, useParams } from 'react-router'
import { queryFor } from '#api/query.ts'
import { usePageTitle } from '#shell/page-title.ts'
import { EntryTag } from '#ui/dict/DictTag.tsx'
import { EntityPage } from '#ui/entity/EntityPage.tsx'
import type { EntityColumn } from '#ui/entity/entity-types.ts'
import { dictColors } from './colors.ts'
import { useDictName } from './dict-name.ts'
import { ColorChoice, TagPreview } from './DictDataFields.tsx'
import { DictPreview } from './DictPreview.tsx'

const ColorName = ({ color }: { color: DictDataRow['colorType'] }) => {
  const { t } = useTranslation()
  return <>{color ? t(dictColors[color]) : '–'}</>
}

const columns: readonly EntityColumn<DictDataRow>[] = [
  'id',
  { name: 'label', show: (_, entry) => <EntryTag entry={entry} /> },
  'labelEn',
  { name: 'value', show: (value) => <code>{value}</code> },
  'sort',
  'status',
  { name: 'colorType', show: (color) => <ColorName color={color} /> },
  { name: 'cssClass', wideOnly: true },
  'remark',
  'createTime',
]

const useTypes = () => useQuery(queryFor(dictTypes.simpleList)).data

/** Another dictionary is another page. */
const OtherDict = ({ dictType }: { dictType: string }) => {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const nameOf = useDictName()
  const options = useTypes()?.map((useType) => ({ value: useType.type, label: nameOf(useType) }))
  return (
    <Select
      value={dictType}
      options={options ?? [{ value: dictType, label: dictType }]}
      aria-label={t('dict.other')}
      showSearch={{ optionFilterProp: 'label' }}
      popupMatchSelectWidth={false}
      onChange={(type) => void navigate(`/system/dict-data/${type}`)}
    />
  )
}

/** The entries of one dictionary; its name is the page title. */
export const DictDataPage = () => {
  const { t } = useTranslation()
  const { dictType = '' } = useParams()
  const shown = useTypes()?.find(({ type }) => type === dictType)
  usePageTitle(shown && { name: shown.name, nameEn: shown.nameEn ?? '' })
  return (
    <>
      <EntityPage
        of={dictDatas}
        draft={DictDataDraft}
        nameOf={({ label, labelEn, value }, lang) => `${(lang === 'en' && labelEn) || label} (${value})`}
        columns={columns}
        filters={['label', 'value', 'status']}
        fields={[
          {
            group: t('dict.entryGroup'),
            hint: t('dict.entryGroupHint'),
            fields: [
              { name: 'dictType', disabled: true },
              'label',
              { name: 'labelEn', help: t('dict.labelEnHelp') },
              { name: 'value', help: t('dict.valueHelp') },
            ],
          },
          {
            group: t('dict.showGroup'),
            hint: t('dict.showGroupHint'),
            fields: [
              { name: 'sort', help: t('system.sortHelp') },
              { name: 'status', help: t('dict.entryStatusHelp') },
              { name: 'colorType', control: <ColorChoice /> },
              { name: 'cssClass', help: t('dict.cssHelp') },
              <TagPreview key="preview" />,
            ],
          },
          'remark',
        ]}
        initial={{ dictType, status: true, sort: 1, colorType: 'default' }}
        fixed={{ dictType }}
        leading={
          <>
            <Link to="/system/dict">
              <Button icon={<ArrowLeftOutlined />}>{t('dict.all')}</Button>
            </Link>
            <OtherDict dictType={dictType} />
          </>
        }
        empty={t('dict.noEntries')}
      />
      <DictPreview dictType={dictType} />
    </>
  )
}
