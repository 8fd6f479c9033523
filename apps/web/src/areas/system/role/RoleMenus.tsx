import { menus } from '@tocsin/contract/system/rights/menu'
import { permissions } from '@tocsin/contract/system/rights/permission'
import { type RoleRow, roles } from '@tocsin/contract/system/rights/role'
import { useQuery } from '@tanstack/react-query'
import { Alert, Button, Empty, Flex, Skeleton, Space, Tag, Tree } from 'antd'
import { type Key, useCallback, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { read, readInPlace, useWrite } from '#api/query.ts'
import { useLang } from '#texts/i18n.ts'
import { confirm } from '#ui/confirm.ts'
import { ErrorState } from '#ui/ErrorState.tsx'
import { useUnsaved } from '#shell/unsaved.ts'
import { AppDrawer } from '#ui/above/AppDrawer.tsx'
import { notify } from '#ui/notify.ts'
import { FindBox } from '../FindBox.tsx'
import { pruned, shownAs, treeOf } from '../tree.ts'
import { allTicked, boxesOf, idsOf, type Ticks, ticksOf, together, toggled, toggledAlone } from './menu-ticks.ts'
import { Together } from './Together.tsx'

type Props = { role: RoleRow; readOnly: boolean; onClose: () => void }

const useEntries = (roleId: number) => {
  const known = useQuery({ ...read(menus.simpleList), gcTime: 0 })
  // Nothing kept from before: what the role has must be known before it can be replaced.
  const held = useQuery({ ...readInPlace(permissions.listRoleMenus, { query: { roleId } }), gcTime: 0 })
  const nodes = useMemo(() => known.data && treeOf(known.data), [known.data])
  const retry = () => void Promise.all([known.refetch(), held.refetch()])
  return { nodes, held: held.data, error: known.error ?? held.error, retry }
}
type Entries = NonNullable<ReturnType<typeof useEntries>['nodes']>

type BoxesProps = { nodes: Entries; ticks: Ticks; setTicks: (ticks: Ticks) => void; readOnly: boolean }

const Boxes = ({ nodes, ticks, setTicks, readOnly }: BoxesProps) => {
  const { t } = useTranslation()
  const lang = useLang()
  const parents = useMemo(() => nodes.map(({ id }) => id), [nodes])
  const [open, setOpen] = useState<readonly Key[]>(parents)
  const [text, setText] = useState('')
  const [linked, setLinked] = useState(true)
  const wanted = text.trim().toLowerCase()
  const nameOf = useCallback((one: Entries[number]) => (lang === 'en' ? one.nameEn : one.name), [lang])
  const found = useMemo(
    () => (wanted ? pruned(nodes, (one) => nameOf(one).toLowerCase().includes(wanted)) : nodes),
    [nodes, wanted, nameOf],
  )
  const shown = useMemo(() => shownAs(found, nameOf), [found, nameOf])
  const every = useMemo(() => boxesOf(found, allTicked(found)).checked, [found])
  return (
    <Flex vertical gap="small">
      <FindBox label={t('role.findMenu')} value={text} onChange={setText} />
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
            <Button size="small" onClick={() => setTicks(together(found, ticks, true))}>
              {t('role.tickAll')}
            </Button>
            <Button size="small" onClick={() => setTicks(together(found, ticks, false))}>
              {t('role.tickNone')}
            </Button>
            <Together on={linked} onChange={setLinked} help={t('role.menusTogetherHelp')} />
          </>
        )}
      </Space>
      {found.length === 0 && <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={t('role.noMenuFound')} />}
      <Tree
        checkable
        // What a box takes with it is decided by toggled, so that a parent never comes back with all its children.
        checkStrictly
        selectable={false}
        disabled={readOnly}
        treeData={shown}
        // What was searched for must not hide in a closed branch.
        expandedKeys={wanted ? every : [...open]}
        {...(!wanted && { onExpand: setOpen })}
        checkedKeys={linked ? boxesOf(nodes, ticks) : idsOf(nodes, ticks, [])}
        onCheck={(_, { node: { key } }) =>
          setTicks(linked ? toggled(found, ticks, key) : toggledAlone({ nodes, found }, ticks, key))
        }
      />
    </Flex>
  )
}

/** The menu entries and buttons of a role. */
export const RoleMenus = ({ role, readOnly, onClose }: Props) => {
  const { t } = useTranslation()
  const { nodes, held, error, retry } = useEntries(role.id)
  const [changed, setChanged] = useState<Ticks>()
  const assign = useWrite(permissions.assignRoleMenu, { also: [roles.page] })
  const ready = nodes && held && { nodes, held }
  const ticks = changed ?? (ready ? ticksOf(ready.nodes, ready.held) : new Set<number>())

  const save = () => {
    if (!ready) return
    const menuIds = idsOf(ready.nodes, ticks, ready.held)
    const said = () => {
      notify.success(t('list.saved'))
      onClose()
    }
    assign.mutate({ body: { roleId: role.id, menuIds, version: role.version } }, { onSuccess: said })
  }
  useUnsaved(() => changed !== undefined)
  const leave = async () => {
    if (!changed || (await confirm({ title: t('list.discardAsk') }))) onClose()
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
            <Button type="primary" disabled={!ready} loading={assign.isPending} onClick={save}>
              {t('list.save')}
            </Button>
          </Flex>
        )
      }
    >
      <Flex vertical gap="middle">
        <Alert type="info" showIcon title={t(readOnly ? 'role.builtInHelp' : 'role.menusHelp')} />
        {error && !ready && <ErrorState error={error} onRetry={retry} />}
        {!error && !ready && <Skeleton active />}
        {ready && <Boxes nodes={ready.nodes} ticks={ticks} setTicks={setChanged} readOnly={readOnly} />}
      </Flex>
    </AppDrawer>
  )
}
