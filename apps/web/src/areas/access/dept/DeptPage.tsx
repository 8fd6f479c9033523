import { DeptQuery, DeptRow, depts } from '@tocsin/contract/access/dept'
import { PlusOutlined } from '@ant-design/icons'
import { Button, Input } from 'antd'
import { useCallback, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { queryFor, useApiMutation } from '#api/query.ts'
import { useHasPermission } from '#api/session.ts'
import { column } from '#ui/column.tsx'
import { HasPerm } from '#ui/permission/HasPerm.tsx'
import { prompt } from '#ui/prompt/prompt.tsx'
import { Filter } from '#ui/list/filters.tsx'
import { notify } from '#ui/notify.ts'
import { bulkDeletion } from '#ui/list/bulk-deletion.tsx'
import { type RowAction, RowActions } from '#ui/list/RowActions.tsx'
import { LocalName } from '#ui/cell/LocalName.tsx'
import { StatusSelect, StatusTag } from '#ui/cell/Status.tsx'
import type { TreePlace } from '#ui/tree/tree.ts'
import { TreeList } from '#ui/tree/TreeList.tsx'
import { DeptDrawer } from './DeptDrawer.tsx'

const columns = [
  column(DeptRow, 'name', { main: true, show: (_, row) => <LocalName of={row} /> }),
  column(DeptRow, 'code'),
  column(DeptRow, 'kind', { word: 'deptKind' }),
  column(DeptRow, 'status', { show: (enabled) => <StatusTag enabled={enabled} /> }),
  column(DeptRow, 'leaderName'),
  column(DeptRow, 'phone', { wideOnly: true }),
  column(DeptRow, 'sort', { figure: true, wideOnly: true }),
  column(DeptRow, 'createTime', { wideOnly: true }),
]

const filters = (
  <>
    <Filter of={DeptQuery} name="name">
      <Input allowClear maxLength={64} />
    </Filter>
    <Filter of={DeptQuery} name="status">
      <StatusSelect allowClear />
    </Filter>
  </>
)

const bodyOf = ({ id, version }: DeptRow, to: TreePlace) => ({ id, version, ...to })
const holds = () => true
const nameOf = ({ name }: DeptRow) => name

type Open = { dept: DeptRow } | { below: number | undefined }

type ActionsProps = { dept: DeptRow; steps: RowAction[]; reveal: () => void; onOpen: (open: Open) => void }

const DeptRowActions = ({ dept, steps, reveal, onOpen }: ActionsProps) => {
  const { t } = useTranslation()
  const mayCreate = useHasPermission('system:dept:create')
  const mayUpdate = useHasPermission('system:dept:update')
  const mayDelete = useHasPermission('system:dept:delete')
  const remove = useApiMutation(depts.delete, { done: () => notify.success(t('list.deleted')) })
  const ask = async () => {
    const { result } = await prompt({
      title: t('list.deleteAsk'),
      label: t('dept.typeName', { name: dept.name }),
      validator: (typed) => typed.trim() === dept.name,
      danger: true,
    })
    if (result !== 'confirm') return
    remove.mutate({ query: { id: dept.id } })
  }
  // Shows a new department in its place in the tree.
  const createBelow = () => {
    reveal()
    onOpen({ below: dept.id })
  }
  return (
    <RowActions
      items={[
        mayUpdate && { key: 'edit', label: t('list.edit'), run: () => onOpen({ dept }) },
        mayCreate && { key: 'below', label: t('system.createBelow'), run: createBelow },
        ...steps,
        mayDelete && { key: 'delete', label: t('list.delete'), run: () => void ask(), danger: true },
      ]}
    />
  )
}

export const DeptPage = () => {
  const { t } = useTranslation()
  const [open, setOpen] = useState<Open>()
  const mayUpdate = useHasPermission('system:dept:update')
  const mayDelete = useHasPermission('system:dept:delete')
  const mayChange = useHasPermission(['system:dept:create', 'system:dept:update', 'system:dept:delete'])
  const { mutate: move } = useApiMutation(depts.move)
  // Stable between renders: an overlay must not rerender hundreds of rows.
  const moving = useMemo(
    () => (mayUpdate ? { holds, move: (dept: DeptRow, to: TreePlace) => move({ body: bodyOf(dept, to) }) } : undefined),
    [mayUpdate, move],
  )
  const picking = useMemo(() => bulkDeletion(mayDelete, { of: depts.deleteList, name: nameOf }), [mayDelete])
  const actions = useCallback(
    (dept: DeptRow, steps: RowAction[], reveal: () => void) => (
      <DeptRowActions dept={dept} steps={steps} reveal={reveal} onOpen={setOpen} />
    ),
    [],
  )
  const create = (
    <HasPerm perms="system:dept:create">
      <Button type="primary" icon={<PlusOutlined />} onClick={() => setOpen({ below: undefined })}>
        {t('list.create')}
      </Button>
    </HasPerm>
  )
  return (
    <>
      <TreeList
        query={DeptQuery}
        source={(query) => queryFor(depts.list, { query })}
        columns={columns}
        filters={filters}
        left={create}
        actions={mayChange ? actions : undefined}
        moving={moving}
        picking={picking}
        openDepth={3}
        empty={{ text: t('dept.none'), next: create }}
      />
      {open && (
        <DeptDrawer
          dept={'dept' in open ? open.dept : undefined}
          parentId={'below' in open ? open.below : undefined}
          onClose={() => setOpen(undefined)}
        />
      )}
    </>
  )
}
