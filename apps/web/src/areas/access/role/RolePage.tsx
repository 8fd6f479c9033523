import { lookupLabel } from '@tocsin/contract/field'
import { RoleQuery, RoleRow, roles } from '@tocsin/contract/access/rights/role'
import { roleTypeLabels } from '@tocsin/contract/access/rights/role-labels'
import { PlusOutlined } from '@ant-design/icons'
import { Button, Input, Tag } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { queryFor } from '#api/query.ts'
import { useHasPermission } from '#api/session.ts'
import { useLang } from '#texts/i18n.ts'
import { column } from '#ui/column.tsx'
import { ExportButton } from '#ui/export/ExportButton.tsx'
import { Filter, DateRangeFilter } from '#ui/list/filters.tsx'
import { ListPage } from '#ui/list/ListPage.tsx'
import { LongText } from '#ui/LongText.tsx'
import { createdEnds, withCreated } from '#ui/list/created-range.ts'
import { bulkDeletion } from '#ui/list/bulk-deletion.tsx'
import { LocalName } from '#ui/cell/LocalName.tsx'
import { StatusSelect, StatusTag } from '#ui/cell/Status.tsx'
import { RoleDrawer } from './RoleDrawer.tsx'
import { RoleMembers } from './RoleMembers.tsx'
import { RoleMenus } from './RoleMenus.tsx'
import { roleActions, RoleRowActions, type OpenDialog } from './RoleRowActions.tsx'
import { RoleScope } from './RoleScope.tsx'

const RoleKind = ({ builtIn }: { builtIn: boolean }) => {
  const lang = useLang()
  return <Tag color={builtIn ? 'purple' : 'blue'}>{lookupLabel(roleTypeLabels, String(builtIn), lang)}</Tag>
}

const RoleFilters = RoleQuery.omit({ createTime: true }).extend(createdEnds)

const Created = () => {
  const { t } = useTranslation()
  return <DateRangeFilter label={t('user.created')} hint={t('user.createdHint')} />
}

const nameOf = ({ name }: RoleRow) => name

const columns = [
  column(RoleRow, 'id', { wideOnly: true, tight: true }),
  column(RoleRow, 'name', { main: true, show: (_, row) => <LocalName of={row} /> }),
  column(RoleRow, 'code'),
  column(RoleRow, 'type', { show: (builtIn) => <RoleKind builtIn={builtIn} /> }),
  column(RoleRow, 'dataScope', { word: 'dataScope' }),
  column(RoleRow, 'sort', { figure: true, wideOnly: true }),
  column(RoleRow, 'status', { show: (enabled) => <StatusTag enabled={enabled} /> }),
  column(RoleRow, 'remark', { wideOnly: true, show: (remark) => <LongText text={remark} width={120} /> }),
  column(RoleRow, 'createTime', { wideOnly: true, tight: true }),
]

const filters = (
  <>
    <Filter of={RoleFilters} name="name">
      <Input allowClear maxLength={30} />
    </Filter>
    <Filter of={RoleFilters} name="code">
      <Input allowClear maxLength={100} />
    </Filter>
    <Filter of={RoleFilters} name="status">
      <StatusSelect allowClear />
    </Filter>
    <Created />
  </>
)

type Open = { what: OpenDialog; role: RoleRow } | { what: 'new' }

const Opened = ({ open, onClose }: { open: Open; onClose: () => void }) => {
  switch (open.what) {
    case 'new':
      return <RoleDrawer role={undefined} onClose={onClose} />
    case 'edit':
      return <RoleDrawer role={open.role} onClose={onClose} />
    case 'menus':
      return <RoleMenus role={open.role} readOnly={open.role.type} onClose={onClose} />
    case 'scope':
      return <RoleScope role={open.role} readOnly={open.role.type} onClose={onClose} />
    case 'members':
      return <RoleMembers role={open.role} onClose={onClose} />
  }
}

export const RolePage = () => {
  const { t } = useTranslation()
  const [open, setOpen] = useState<Open>()
  const mayDelete = useHasPermission('system:role:delete')
  const mayCreate = useHasPermission('system:role:create')
  const mayExport = useHasPermission('system:role:export')
  const mayAct = useHasPermission(roleActions)
  const create = mayCreate && (
    <Button type="primary" icon={<PlusOutlined />} onClick={() => setOpen({ what: 'new' })}>
      {t('list.create')}
    </Button>
  )
  return (
    <>
      <ListPage
        query={RoleFilters}
        source={(query) => queryFor(roles.page, { query: withCreated(query) })}
        columns={columns}
        rowKey={({ id }) => id}
        picking={bulkDeletion(mayDelete, {
          of: roles.deleteList,
          name: nameOf,
          why: ({ type }: RoleRow) => (type ? t('role.builtInHelp') : undefined),
        })}
        filters={filters}
        left={create}
        exporting={(query) => mayExport && <ExportButton calls={roles} query={withCreated(query)} />}
        {...(mayAct && {
          actions: (role: RoleRow) => (
            <RoleRowActions role={role} onOpen={(action) => setOpen({ what: action, role })} />
          ),
        })}
        empty={{ text: t('role.none'), next: create }}
      />
      {open && <Opened open={open} onClose={() => setOpen(undefined)} />}
    </>
  )
}
