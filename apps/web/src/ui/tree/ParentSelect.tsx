import { TreeSelect, type TreeSelectProps } from 'antd'
import { useTranslation } from 'react-i18next'
import { idsWithin, type AntdTreeNode, toAntdTree, treeOf } from './tree.ts'

type Row = { id: number; parentId: number | null; name: string }

type Props = Omit<TreeSelectProps<number>, 'treeData'> & {
  /** All possible parents, including the edited one. */
  rows: readonly Row[]
  /** The edited one: it can go neither below itself nor below its descendants. */
  moving: Row | undefined
}

/** 0 stands for the top level, as on the wire. */
export const TOP = 0

/** The parent in a tree. */
export const ParentSelect = ({ rows, moving, ...rest }: Props) => {
  const { t } = useTranslation()
  const banned = moving ? idsWithin(rows, moving.id) : new Set<number>()
  const offered = rows.filter(({ id }) => !banned.has(id))
  const now = moving?.parentId ?? null
  const unseen: AntdTreeNode[] =
    now === null || offered.some(({ id }) => id === now) ? [] : [{ key: now, title: t('system.parentUnseen') }]
  const treeData = [
    { key: TOP, title: t('system.top'), children: toAntdTree(treeOf(offered), (row) => row.name) },
    ...unseen,
  ]
  return (
    <TreeSelect<number>
      treeData={treeData}
      placeholder={t('list.choose')}
      fieldNames={{ label: 'title', value: 'key', children: 'children' }}
      showSearch={{ treeNodeFilterProp: 'title' }}
      // With more, searching is easier.
      {...(rows.length <= 300 ? { treeDefaultExpandAll: true } : { treeDefaultExpandedKeys: [TOP] })}
      {...rest}
    />
  )
}
