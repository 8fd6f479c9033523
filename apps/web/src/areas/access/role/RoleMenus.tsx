import type { RoleRow } from '@tocsin/contract/access/rights/role'
import { Alert, Button, Empty, Flex, Skeleton, Space, Tag, Tree } from 'antd'
import { type Key, useCallback, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLang } from '#texts/i18n.ts'
import { confirm } from '#ui/confirm.ts'
import { ErrorState } from '#ui/ErrorState.tsx'
import { useUnsavedGuard } from '#ui/form/unsaved-guard.ts'
import { AppDrawer } from '#ui/overlay/AppDrawer.tsx'
import { notify } from '#ui/notify.ts'
import { ReadOnlyControls } from '#ui/responsive/ReadOnlyControls.tsx'
import { ConflictAlert } from '#ui/edit-conflict/ConflictAlert.tsx'
import { SearchBox } from '#ui/tree/SearchBox.tsx'
import { filterTree, toAntdTree } from '#ui/tree/tree.ts'
import {
  selectAll,
  checkboxStates,
  flattenTree as flat,
  toMenuIds,
  type MenuSelection,
  setShown,
  toggleBranch,
  toggleSingle,
} from './menu-selection.ts'
import { CascadeSwitch } from './CascadeSwitch.tsx'
import { type Entries, type RemoteSelectionChange, useMenuSelection } from './use-menu-selection.ts'

type Props = { role: RoleRow; readOnly: boolean; onClose: () => void }

type BoxesProps = { nodes: Entries; ticks: MenuSelection; setTicks: (ticks: MenuSelection) => void; readOnly: boolean }

const Boxes = ({ nodes, ticks, setTicks, readOnly }: BoxesProps) => {
  const { t } = useTranslation()
  const lang = useLang()
  const parents = useMemo(() => nodes.map(({ id }) => id), [nodes])
  const [open, setOpen] = useState<readonly Key[]>(parents)
  const [text, setText] = useState('')
  const [linked, setLinked] = useState(true)
  const wanted = text.trim().toLowerCase()
  const nameOf = useCallback((value: Entries[number]) => (lang === 'en' ? value.nameEn : value.name), [lang])
  const found = useMemo(
    () => (wanted ? filterTree(nodes, (value) => nameOf(value).toLowerCase().includes(wanted)) : nodes),
    [nodes, wanted, nameOf],
  )
  const shown = useMemo(() => toAntdTree(found, nameOf), [found, nameOf])
  const every = useMemo(() => checkboxStates(found, selectAll(found)).checked, [found])
  const tree = (
    <Tree
      checkable
      // `toggled` decides which other boxes change, so that a parent never returns with all its children.
      checkStrictly
      selectable={false}
      disabled={readOnly}
      treeData={shown}
      // Search results must not be hidden in a closed branch.
      expandedKeys={wanted ? every : [...open]}
      {...(!wanted && { onExpand: setOpen })}
      checkedKeys={linked ? checkboxStates(nodes, ticks) : toMenuIds(nodes, ticks, [])}
      onCheck={(_, { node: { key } }) =>
        setTicks(linked ? toggleBranch(found, ticks, key) : toggleSingle({ nodes, found }, ticks, key))
      }
    />
  )
  return (
    <Flex vertical gap="small">
      <SearchBox label={t('role.findMenu')} value={text} onChange={setText} />
      <Space wrap>
        <Button
          size="small"
          disabled={wanted !== ''}
          onClick={() => setOpen(open.length > parents.length ? [] : every)}
        >
          {t(open.length > parents.length ? 'system.collapse' : 'system.expand')}
        </Button>
        {!readOnly && (
          <>
            <Button size="small" onClick={() => setTicks(setShown(found, ticks, true))}>
              {t('role.tickAll')}
            </Button>
            <Button size="small" onClick={() => setTicks(setShown(found, ticks, false))}>
              {t('role.tickNone')}
            </Button>
            <CascadeSwitch on={linked} onChange={setLinked} help={t('role.menusTogetherHelp')} />
          </>
        )}
      </Space>
      {found.length === 0 && <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={t('role.noMenuFound')} />}
      {readOnly ? <ReadOnlyControls>{tree}</ReadOnlyControls> : tree}
    </Flex>
  )
}

const NAMED = 10

type NoteProps = { nodes: Entries; meanwhile: RemoteSelectionChange }

/** Changes of another user to the same boxes. */
const SelectionConflictNote = ({ nodes, meanwhile }: NoteProps) => {
  const { t } = useTranslation()
  const lang = useLang()
  const nameOf = (value: Entries[number]) => (lang === 'en' ? value.nameEn : value.name)
  const known = new Map(flat(nodes).map((item) => [item.id, item]))
  // Adds the entry, because buttons of many entries have the same name.
  const whole = (value: Entries[number]) => {
    const above = value.parentId === null ? undefined : known.get(value.parentId)
    return above ? `${nameOf(above)} / ${nameOf(value)}` : nameOf(value)
  }
  const names = (ids: readonly number[]) => {
    const named = ids.flatMap((id) => known.get(id) ?? []).map(whole)
    const more = named.length > NAMED ? ' …' : ''
    return `${named.slice(0, NAMED).join(lang === 'en' ? ', ' : '、')}${more}`
  }
  const { ticked, cleared } = meanwhile
  return (
    <ConflictAlert told={meanwhile}>
      {ticked.length > 0 && <p>{t('role.meanwhileTicked', { names: names(ticked) })}</p>}
      {cleared.length > 0 && <p>{t('role.meanwhileCleared', { names: names(cleared) })}</p>}
      <p>{t(ticked.length + cleared.length > 0 ? 'role.meanwhileTaken' : 'list.staleNoConflict')}</p>
    </ConflictAlert>
  )
}

/** The menu entries and buttons of a role. */
export const RoleMenus = ({ role, readOnly, onClose }: Props) => {
  const { t } = useTranslation()
  const saved = () => {
    notify.success(t('list.saved'))
    onClose()
  }
  const { nodes, error, retry, ticks, setTicks, isChanged, meanwhile, save, busy } = useMenuSelection(role, saved)
  useUnsavedGuard(() => isChanged)
  const leave = async () => {
    if (!isChanged || (await confirm({ title: t('list.discardAsk') }))) onClose()
  }
  return (
    <AppDrawer
      onClose={() => void leave()}
      mask={{ closable: readOnly }}
      size="min(600px, 100vw)"
      title={t('role.menusOf', { name: role.name })}
      extra={<Tag>{role.code}</Tag>}
      footer={
        !readOnly && (
          <Flex gap="small" justify="end">
            <Button onClick={() => void leave()}>{t('list.cancel')}</Button>
            <Button type="primary" disabled={!nodes} loading={busy} onClick={save}>
              {t('list.save')}
            </Button>
          </Flex>
        )
      }
    >
      <Flex vertical gap="middle">
        {nodes && meanwhile && <SelectionConflictNote nodes={nodes} meanwhile={meanwhile} />}
        <Alert type="info" showIcon title={t(readOnly ? 'role.builtInHelp' : 'role.menusHelp')} />
        {error && !nodes && <ErrorState error={error} onRetry={retry} />}
        {!error && !nodes && <Skeleton active />}
        {nodes && (
          <div inert={busy}>
            <Boxes nodes={nodes} ticks={ticks} setTicks={setTicks} readOnly={readOnly} />
          </div>
        )}
      </Flex>
    </AppDrawer>
  )
}
