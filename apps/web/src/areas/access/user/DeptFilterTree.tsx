import { Button, Empty, Flex, Skeleton, Tree, Typography } from 'antd'
import { type Key, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ErrorState } from '#ui/ErrorState.tsx'
import { useDepts } from '../DeptSelect.tsx'
import { SearchBox } from '#ui/tree/SearchBox.tsx'
import { filterTree, toAntdTree, treeOf } from '#ui/tree/tree.ts'

type Props = { chosen: number | undefined; onChoose: (deptId: number | undefined) => void }

/** The department filter at the left of the users; it includes all descendants. */
export const DeptFilterTree = ({ chosen, onChoose }: Props) => {
  const { t } = useTranslation()
  const { data, error, refetch } = useDepts()
  const [text, setText] = useState('')
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!data) return <Skeleton active />
  const shown = filterTree(treeOf(data), ({ name }) => name.toLowerCase().includes(text.trim().toLowerCase()))
  const choose = ([key]: Key[]) => onChoose(key === undefined ? undefined : Number(key))
  return (
    <Flex vertical gap="small">
      <SearchBox label={t('system.findDept')} value={text} onChange={setText} />
      {shown.length === 0 ? (
        <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={t('system.noDeptFound')} />
      ) : (
        <Tree
          // Expanded again when the search narrows the tree.
          key={text.trim()}
          defaultExpandAll
          blockNode
          treeData={toAntdTree(shown, ({ name }) => name)}
          selectedKeys={chosen === undefined ? [] : [chosen]}
          onSelect={choose}
        />
      )}
      {chosen !== undefined && (
        <Button size="small" type="link" onClick={() => onChoose(undefined)}>
          <Typography.Text type="secondary">{t('user.allDepts')}</Typography.Text>
        </Button>
      )}
    </Flex>
  )
}
