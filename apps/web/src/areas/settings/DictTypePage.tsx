import { DictTypeDraft, type DictTypeRow, dictTypes } from '@tocsin/contract/settings/dict'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate } from 'react-router'
import { localName } from '#ui/cell/LocalName.tsx'
import { EntityPage } from '#ui/entity/EntityPage.tsx'
import type { EntityColumn } from '#ui/entity/entity-types.ts'
import { useDictName } from './dict-name.ts'

const dataPath = ({ type }: DictTypeRow) => `/system/dict-data/${type}`

const Name = ({ of }: { of: DictTypeRow }) => <Link to={dataPath(of)}>{useDictName()(of)}</Link>

const columns: readonly EntityColumn<DictTypeRow>[] = [
  'id',
  { name: 'name', show: (_, type) => <Name of={type} /> },
  { name: 'nameEn', wideOnly: true },
  { name: 'type', show: (type) => <code>{type}</code> },
  'status',
  'remark',
  'createTime',
]

/** The dictionaries; the entries of each are a page of their own. The type of a dictionary never changes. */
export const DictTypePage = () => {
  const { t } = useTranslation()
  const navigate = useNavigate()
  return (
    <EntityPage
      of={dictTypes}
      draft={DictTypeDraft}
      nameOf={(type, lang) => `${localName(type, lang)} (${type.type})`}
      columns={columns}
      filters={['name', 'type', 'status', 'createTime']}
      fields={(type) => [
        'name',
        { name: 'nameEn', help: t('dict.nameEnHelp') },
        { name: 'type', help: t(type ? 'dict.typeFixed' : 'dict.typeHelp'), disabled: type !== undefined },
        { name: 'status', help: t('dict.typeStatusHelp') },
        'remark',
      ]}
      initial={{ status: true }}
      actions={(type) => [{ key: 'data', label: t('dict.data'), run: () => void navigate(dataPath(type)) }]}
    />
  )
}
