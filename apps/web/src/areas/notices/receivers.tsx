import type { Notice } from '@tocsin/contract/notices/notice'
import { Flex, Select, type SelectProps, Tag, TreeSelect, type TreeSelectProps } from 'antd'
import { useTranslation } from 'react-i18next'
import { EnumLabel } from '#ui/EnumTag.tsx'
import { useDepts } from '#areas/access/DeptSelect.tsx'
import { useUserOptions, useUsersById } from '#areas/access/user-options.ts'
import { treeOf } from '#ui/tree/tree.ts'

type Named = { id: number; name: string }

/** Selected options that are no longer offered, so that they have a label. */
const useUnoffered = (chosen: readonly number[] | null | undefined, offered: readonly { id: number }[] | undefined) => {
  const { t } = useTranslation()
  const missing = offered ? (chosen ?? []).filter((id) => offered.every((item) => item.id !== id)) : []
  return missing.map((id): Named => ({ id, name: t('system.unoffered', { id }) }))
}

/** Departments with all descendants. */
export const DeptsSelect = (rest: TreeSelectProps<number[]>) => {
  const { t } = useTranslation()
  const { data, isFetching } = useDepts()
  const unoffered = useUnoffered(rest.value, data).map((item) => ({ ...item, parentId: null }))
  return (
    <TreeSelect<number[]>
      multiple
      treeData={treeOf([...(data ?? []), ...unoffered])}
      fieldNames={{ label: 'name', value: 'id', children: 'children' }}
      showSearch={{ treeNodeFilterProp: 'name' }}
      treeDefaultExpandAll
      loading={isFetching}
      placeholder={t('system.chooseDept')}
      {...rest}
    />
  )
}

const labelOf = ({ nickname, deptName }: { nickname: string; deptName: string }) => `${nickname} · ${deptName}`

/** A user select, searched by name. */
export const PeopleSelect = (rest: SelectProps<number[]>) => {
  const { t } = useTranslation()
  const choice = useUserOptions(rest.value ?? [], labelOf)
  return <Select<number[]> mode="multiple" placeholder={t('notice.findPeople')} {...choice} {...rest} />
}

const Names = ({ ids, known }: { ids: readonly number[]; known: readonly Named[] }) => {
  const { t } = useTranslation()
  const names = new Map(known.map(({ id, name }) => [id, name]))
  const seen = ids.filter((id) => names.has(id))
  return (
    <Flex wrap gap={4}>
      {seen.map((id) => (
        <Tag key={id} style={{ margin: 0 }}>
          {names.get(id)}
        </Tag>
      ))}
      {seen.length < ids.length && (
        <Tag style={{ margin: 0 }}>{t('notice.outOfSight', { n: ids.length - seen.length })}</Tag>
      )}
    </Flex>
  )
}

const Depts = ({ ids }: { ids: readonly number[] }) => <Names ids={ids} known={useDepts().data ?? []} />
const People = ({ ids }: { ids: readonly number[] }) => (
  <Names ids={ids} known={(useUsersById(ids) ?? []).map(({ id, nickname }) => ({ id, name: nickname }))} />
)

/** The named receivers; invisible or deleted ones are only counted. */
export const Receivers = ({ notice }: { notice: Pick<Notice, 'target' | 'deptIds' | 'userIds'> }) => {
  if (notice.target === 'DEPT') return <Depts ids={notice.deptIds} />
  if (notice.target === 'USER') return <People ids={notice.userIds} />
  return <EnumLabel kind="noticeTarget" value="ALL" />
}
