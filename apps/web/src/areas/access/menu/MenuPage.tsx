import { MenuQuery, MenuRow, menus } from '@tocsin/contract/access/rights/menu'
import { PlusOutlined } from '@ant-design/icons'
import { Button, Input, Space } from 'antd'
import { useCallback, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { queryFor, useApiMutation } from '#api/query.ts'
import { HasPerm } from '#ui/permission/HasPerm.tsx'
import { clearPermissions, useHasPermission } from '#api/session.ts'
import { useLang } from '#texts/i18n.ts'
import { useDeletion } from '#ui/prompt/use-deletion.ts'
import { column } from '#ui/column.tsx'
import { confirm } from '#ui/confirm.ts'
import { EntryIconImage } from '#ui/icon/EntryIconImage.tsx'
import { Filter } from '#ui/list/filters.tsx'
import { EnumTag } from '#ui/EnumTag.tsx'
import { type RowAction, RowActions } from '#ui/list/RowActions.tsx'
import { StatusSelect } from '#ui/cell/Status.tsx'
import type { TreePlace } from '#ui/tree/tree.ts'
import { TreeList } from '#ui/tree/TreeList.tsx'
import { MenuDrawer } from './MenuDrawer.tsx'
import { MenuStatus } from './MenuStatus.tsx'
import { menuTypeOf } from './menu-draft.ts'

const Name = ({ of }: { of: MenuRow }) => {
  const name = useLang() === 'en' ? of.nameEn : of.name
  return (
    <Space size="small">
      {of.icon && (
        <span className="anticon" aria-hidden="true">
          <EntryIconImage name={of.icon} letter="" />
        </span>
      )}
      {name}
    </Space>
  )
}

const code = (text: string | null) => (text ? <code className="menu-permission">{text}</code> : '–')

/** The screen, and its name for keep-alive. */
const Screen = ({ of: { component, componentName } }: { of: MenuRow }) => (
  <>
    {component ?? '–'}
    {componentName && <div className="menu-kept">{componentName}</div>}
  </>
)

const columns = [
  column(MenuRow, 'name', { main: true, show: (_, row) => <Name of={row} /> }),
  column(MenuRow, 'type', { tight: true, show: (_, row) => <EnumTag kind="menuType" value={menuTypeOf(row)} /> }),
  column(MenuRow, 'status', { show: (_, row) => <MenuStatus of={row} /> }),
  column(MenuRow, 'permission', { show: code }),
  column(MenuRow, 'path', { wideOnly: true }),
  column(MenuRow, 'component', { wideOnly: true, show: (_, row) => <Screen of={row} /> }),
  column(MenuRow, 'sort', { figure: true, wideOnly: true, tight: true }),
]

const filters = (
  <>
    <Filter of={MenuQuery} name="name">
      <Input allowClear maxLength={50} />
    </Filter>
    <Filter of={MenuQuery} name="status">
      <StatusSelect allowClear />
    </Filter>
  </>
)

const bodyOf = ({ id, version }: MenuRow, to: TreePlace) => ({ id, version, ...to })
const holds = (menu: MenuRow) => ['DIR', 'MENU'].includes(menuTypeOf(menu))

type Open = { menu: MenuRow } | { below: MenuRow | undefined }

type ActionsProps = { menu: MenuRow; steps: RowAction[]; reveal: () => void; onOpen: (open: Open) => void }

const MenuRowActions = ({ menu, steps, reveal, onOpen }: ActionsProps) => {
  const { t } = useTranslation()
  const mayCreate = useHasPermission('system:menu:create')
  const mayUpdate = useHasPermission('system:menu:update')
  const mayDelete = useHasPermission('system:menu:delete')
  const remove = useDeletion(menus.delete)
  const ask = () => void remove(menu.id, `${menu.name} / ${menu.nameEn}`)
  // Shows a new entry in its place in the tree.
  const createBelow = () => {
    reveal()
    onOpen({ below: menu })
  }
  return (
    <RowActions
      items={[
        mayUpdate && { key: 'edit', label: t('list.edit'), run: () => onOpen({ menu }) },
        mayCreate && holds(menu) && { key: 'below', label: t('system.createBelow'), run: createBelow },
        ...steps,
        mayDelete && { key: 'delete', label: t('list.delete'), run: ask, danger: true },
      ]}
    />
  )
}

/** Reloads from the server: permissions, menu and dictionaries cached in this browser are deleted. */
const RefreshMenus = () => {
  const { t } = useTranslation()
  const run = async () => {
    if (!(await confirm({ title: t('menu.refreshAsk'), text: t('menu.refreshHelp') }))) return
    clearPermissions()
    location.reload()
  }
  return <Button onClick={() => void run()}>{t('menu.refresh')}</Button>
}

export const MenuPage = () => {
  const { t } = useTranslation()
  const [open, setOpen] = useState<Open>()
  const mayUpdate = useHasPermission('system:menu:update')
  const mayChange = useHasPermission(['system:menu:create', 'system:menu:update', 'system:menu:delete'])
  const { mutate: move } = useApiMutation(menus.move)
  // Stable between renders: an overlay must not rerender hundreds of rows.
  const moving = useMemo(
    () => (mayUpdate ? { holds, move: (menu: MenuRow, to: TreePlace) => move({ body: bodyOf(menu, to) }) } : undefined),
    [mayUpdate, move],
  )
  const actions = useCallback(
    (menu: MenuRow, steps: RowAction[], reveal: () => void) => (
      <MenuRowActions menu={menu} steps={steps} reveal={reveal} onOpen={setOpen} />
    ),
    [],
  )
  const create = (
    <HasPerm perms="system:menu:create">
      <Button type="primary" icon={<PlusOutlined />} onClick={() => setOpen({ below: undefined })}>
        {t('list.create')}
      </Button>
    </HasPerm>
  )
  return (
    <>
      <TreeList
        query={MenuQuery}
        source={(query) => queryFor(menus.list, { query })}
        columns={columns}
        filters={filters}
        left={
          <>
            {create}
            <RefreshMenus />
          </>
        }
        actions={mayChange ? actions : undefined}
        moving={moving}
        openDepth={1}
        empty={{ text: t('menu.none'), next: create }}
      />
      {open && (
        <MenuDrawer
          menu={'menu' in open ? open.menu : undefined}
          parent={'below' in open ? open.below : undefined}
          onClose={() => setOpen(undefined)}
        />
      )}
    </>
  )
}
