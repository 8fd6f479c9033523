import { depts } from '@tocsin/contract/access/dept'
import { useQuery } from '@tanstack/react-query'
import { TreeSelect, type TreeSelectProps } from 'antd'
import { useTranslation } from 'react-i18next'
import { queryFor } from '#api/query.ts'
import { useLang } from '#texts/i18n.ts'
import { localName } from '#ui/cell/LocalName.tsx'
import { treeOf } from '#ui/tree/tree.ts'

export const useDepts = () => useQuery({ ...queryFor(depts.simpleList), staleTime: 60_000 })

type Props = TreeSelectProps<number> & {
  /** The stored department of the form, which may be disabled or invisible. */
  present?: { id: number; name: string } | undefined
}

/** A select of the enabled departments that the user can see. */
export const DeptSelect = ({ present, ...rest }: Props) => {
  const { t } = useTranslation()
  const lang = useLang()
  const { data = [], isFetching } = useDepts()
  const missing = present && data.every(({ id }) => id !== present.id)
  const known = data.map((dept) => ({ ...dept, name: localName(dept, lang) }))
  const rows = missing ? [{ ...present, nameEn: null, parentId: null }, ...known] : known
  return (
    <TreeSelect<number>
      treeData={treeOf(rows)}
      fieldNames={{ label: 'name', value: 'id', children: 'children' }}
      showSearch={{ treeNodeFilterProp: 'name' }}
      treeDefaultExpandAll
      loading={isFetching}
      placeholder={t('system.chooseDept')}
      {...rest}
    />
  )
}
