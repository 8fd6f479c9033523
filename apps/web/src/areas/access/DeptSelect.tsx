import { depts } from '@tocsin/contract/access/dept'
import { useQuery } from '@tanstack/react-query'
import { TreeSelect, type TreeSelectProps } from 'antd'
import { useTranslation } from 'react-i18next'
import { queryFor } from '#api/query.ts'
import { treeOf } from '#ui/tree/tree.ts'

export const useDepts = () => useQuery({ ...queryFor(depts.simpleList), staleTime: 60_000 })

type Props = TreeSelectProps<number> & {
  /** A department the form already has, which may be disabled or out of sight. */
  present?: { id: number; name: string } | undefined
}

/** One of the enabled departments the person may see. */
export const DeptSelect = ({ present, ...rest }: Props) => {
  const { t } = useTranslation()
  const { data = [], isFetching } = useDepts()
  const missing = present && data.every(({ id }) => id !== present.id)
  const rows = missing ? [{ ...present, parentId: null }, ...data] : data
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
