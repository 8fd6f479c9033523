import { menus } from '@tocsin/contract/access/rights/menu'
import { permissions } from '@tocsin/contract/access/rights/permission'
import { RoleRow, roles } from '@tocsin/contract/access/rights/role'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { showError } from '#api/messages.ts'
import { queryFor, inlineQuery, useApiMutation } from '#api/query.ts'
import { currentRowOf, readAs } from '#ui/edit-conflict/remote-row.ts'
import { treeOf } from '#ui/tree/tree.ts'
import { toMenuIds, mergeSelections, type MenuSelection, toSelection } from './menu-selection.ts'

const useEntries = (roleId: number) => {
  const known = useQuery({ ...queryFor(menus.simpleList), gcTime: 0 })
  // No cached data: the current entries must be known before they are replaced.
  const held = useQuery({ ...inlineQuery(permissions.listRoleMenus, { query: { roleId } }), gcTime: 0 })
  const nodes = useMemo(() => known.data && treeOf(known.data), [known.data])
  const error = known.error ?? held.error
  const retry = () => void Promise.all([known.refetch(), held.refetch()])
  return { ready: nodes && held.data && { nodes, held: held.data }, again: held.refetch, error, retry }
}
type Ready = NonNullable<ReturnType<typeof useEntries>['ready']>
export type Entries = Ready['nodes']

/** The ticks and clears of another user while this was open. */
export type RemoteSelectionChange = { ticked: number[]; cleared: number[] }

/** The ticked entries of a role and their saving; concurrent ticks of another user are merged. */
export const useMenuSelection = (role: RoleRow, onSaved: () => void) => {
  const { ready, again, error, retry } = useEntries(role.id)
  const [version, setVersion] = useState(role.version)
  const [changed, setChanged] = useState<{ ticks: MenuSelection; from: MenuSelection }>()
  const [meanwhile, setMeanwhile] = useState<RemoteSelectionChange>()
  /** From the click until the save or the merge is done: a tick in between would be lost. */
  const [busy, setBusy] = useState(false)
  const assign = useApiMutation(permissions.assignRoleMenu, { also: [roles.page], fieldsInline: true })
  const before = ready && toSelection(ready.nodes, ready.held)
  const ticks = changed?.ticks ?? before ?? new Set<number>()
  const setTicks = (next: MenuSelection) => setChanged({ ticks: next, from: changed?.from ?? before ?? next })

  const refused = async ({ nodes }: Ready, why: unknown) => {
    const newer = readAs(RoleRow)(currentRowOf(why))
    if (!newer) return showError(why)
    // A failed refetch still returns the earlier data.
    const { data, error: unread } = await again()
    if (unread || !data) return showError(unread ?? why)
    const theirs = toSelection(nodes, data)
    const from = changed?.from ?? ticks
    setMeanwhile({
      ticked: [...theirs].filter((id) => !from.has(id)),
      cleared: [...from].filter((id) => !theirs.has(id)),
    })
    // A separately ticked parent is dropped when one of its descendants is ticked.
    setChanged({ ticks: toSelection(nodes, toMenuIds(nodes, mergeSelections(from, ticks, theirs), [])), from: theirs })
    setVersion(newer.version)
  }
  const save = () => {
    if (!ready) return
    const body = { roleId: role.id, menuIds: toMenuIds(ready.nodes, ticks, ready.held), version }
    setBusy(true)
    const onError = (why: unknown) => void refused(ready, why).finally(() => setBusy(false))
    assign.mutate({ body }, { onSuccess: onSaved, onError })
  }
  return {
    nodes: ready?.nodes,
    error,
    retry,
    ticks,
    setTicks,
    isChanged: changed !== undefined,
    meanwhile,
    save,
    busy,
  }
}
