import { useQuery } from '@tanstack/react-query'
import { codegens } from '@tocsin/contract/system/codegen/calls'
import type { CodegenMenu } from '@tocsin/contract/system/codegen/codegen'
import { TreeSelect, type TreeSelectProps } from 'antd'
import { useTranslation } from 'react-i18next'
import { read } from '#api/query.ts'
import { useLang } from '#texts/i18n.ts'
import { type Branch, treeOf } from '../tree.ts'

type Node = { value: string; title: string; children: Node[] }

/** The directory that the menu entry goes under; none: at the top. */
export const MenuChoice = (rest: Omit<TreeSelectProps<string | null>, 'treeData'>) => {
  const { t } = useTranslation()
  const lang = useLang()
  const { data = [] } = useQuery({ ...read(codegens.menus), staleTime: 60_000 })
  const nodeOf = ({ componentName, name, nameEn, children = [] }: Branch<CodegenMenu>): Node => ({
    value: componentName,
    title: lang === 'en' ? nameEn : name,
    children: children.map(nodeOf),
  })
  return (
    <TreeSelect
      allowClear
      treeData={treeOf(data).map(nodeOf)}
      placeholder={t('codegen.menuTop')}
      showSearch={{ treeNodeFilterProp: 'title' }}
      treeDefaultExpandAll
      {...rest}
    />
  )
}
