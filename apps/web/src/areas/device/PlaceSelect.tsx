import { places } from '@tocsin/contract/school/place'
import { useQuery } from '@tanstack/react-query'
import { TreeSelect, type TreeSelectProps } from 'antd'
import { useTranslation } from 'react-i18next'
import { queryFor } from '#api/query.ts'
import { type PlaceNode, placeTree } from '#areas/school/place-tree.ts'

type Option = { value: number; label: string; children: Option[] }

const toOptions = (nodes: readonly PlaceNode[]): Option[] =>
  nodes.map(({ id, name, children = [] }) => ({ value: id, label: name, children: toOptions(children) }))

type Props = TreeSelectProps<number> & { schoolId: number | undefined }

/** A select of places of a school, searched by name. */
export const PlaceSelect = ({ schoolId, ...rest }: Props) => {
  const { t } = useTranslation()
  const { data, isFetching } = useQuery({
    ...queryFor(places.list, { query: { schoolId: schoolId ?? 0 } }),
    enabled: schoolId !== undefined,
  })
  return (
    <TreeSelect
      treeDefaultExpandAll
      showSearch={{ treeNodeFilterProp: 'label' }}
      loading={isFetching}
      disabled={schoolId === undefined}
      placeholder={t('list.choose')}
      treeData={toOptions(placeTree(data ?? []))}
      {...rest}
    />
  )
}
