import { MoreOutlined } from '@ant-design/icons'
import { useIsMutating } from '@tanstack/react-query'
import { Flex, Tooltip } from 'antd'
import { use, useEffect, useEffectEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { client, pendingWrites } from '#api/query.ts'
import { DropMenu } from '#ui/overlay/DropMenu.tsx'
import { ListResourceContext } from '#ui/list/list-resource-context.ts'
import { RegisterOpening } from '#ui/list/rows/row-opening.tsx'
import { useMedium } from '#ui/responsive/media.ts'
import './screens.css'

export type RowAction = {
  key: string
  label: string
  run: () => void
  danger?: boolean
  /** Why the action is not possible for this row. */
  why?: string | undefined
}

/** Reports when a pending write was answered and its data refetched. */
const Written = ({ of, then }: { of: string | undefined; then: () => void }) => {
  const writing = useIsMutating(pendingWrites(of)) > 0
  const done = useEffectEvent(then)
  useEffect(() => {
    if (!writing) done()
  }, [writing])
  return null
}

/** A native button, because antd's does much work per render, and a tree of a city shows hundreds. */
const LinkButton = ({ label, run, danger = false, why, waits }: RowAction & { waits: boolean }) => {
  const button = (
    <button
      type="button"
      className="row-action"
      data-danger={danger}
      disabled={why !== undefined}
      aria-busy={waits}
      onClick={run}
    >
      {label}
    </button>
  )
  // Tooltips only where there is a text: of hundreds hardly one has it.
  return why === undefined ? button : <Tooltip title={why}>{button}</Tooltip>
}

/** Its menu is mounted with the first click. */
const More = ({ items, compact }: { items: readonly RowAction[]; compact: boolean }) => {
  const { t } = useTranslation()
  const [open, setOpen] = useState<boolean>()
  const button = (
    <button
      type="button"
      className="row-action"
      data-compact={compact}
      aria-haspopup="menu"
      aria-expanded={open ?? false}
      // Another element than the clicked one, because it is now inside the menu's trigger.
      autoFocus={open !== undefined}
      {...(compact && { 'aria-label': t('system.more') })}
      {...(open === undefined && { onClick: () => setOpen(true) })}
    >
      {compact ? <MoreOutlined /> : t('system.more')}
    </button>
  )
  if (open === undefined) return button
  const entryOf = ({ key, label, run, why }: RowAction) => ({
    key,
    disabled: why !== undefined,
    label: why === undefined ? label : <span title={why}>{`${label} (${why})`}</span>,
    onClick: run,
  })
  const [safe, dangerous] = [items.filter(({ danger }) => !danger), items.filter(({ danger }) => danger)]
  const line = safe.length > 0 && dangerous.length > 0 ? [{ key: 'line', type: 'divider' as const }] : []
  const entries = [...safe.map(entryOf), ...line, ...dangerous.map(entryOf)]
  return (
    <DropMenu menu={{ items: entries }} open={open} onOpenChange={setOpen}>
      {button}
    </DropMenu>
  )
}

/** Actions that only show the row, the first of which opens it; without one, editing does. */
const OPENING = ['detail', 'open', 'read', 'show', 'preview', 'data', 'edit']

const findOpening = (offered: readonly RowAction[]): RowAction | undefined =>
  OPENING.map((key) => offered.find((item) => item.key === key && item.why === undefined)).find(Boolean)

/** In a list, one next verb; elsewhere up to three. Dangerous ones are last, and in a list only in the menu. */
const arrange = (offered: readonly RowAction[], { inList, wide }: { inList: boolean; wide: boolean }) => {
  const ordered = [...offered.filter(({ danger }) => !danger), ...offered.filter(({ danger }) => danger)]
  if (!inList) {
    const shown = wide ? ordered.slice(0, ordered.length > 3 ? 2 : 3) : []
    return { shown, rest: ordered.slice(shown.length) }
  }
  const next = ordered.find((item) => !item.danger && item.why === undefined)
  const shown = next ? [next] : []
  return { shown, rest: ordered.filter((item) => item !== next) }
}

/** The actions of a row: those that come next as buttons, the rest under "more". */
export const RowActions = ({ items }: { items: readonly (RowAction | false)[] }) => {
  const wide = useMedium()
  const of = use(ListResourceContext)
  const register = use(RegisterOpening)
  const inList = register !== undefined
  const offered = items.filter((item) => item !== false)
  const [wanted, setWanted] = useState<string>()
  // The row is outdated until the last write is refetched; a form that starts with it would show the own change as a
  // conflict.
  const press = (action: RowAction) => () =>
    client.isMutating(pendingWrites(of)) === 0 ? action.run() : setWanted(action.key)
  const then = () => {
    setWanted(undefined)
    offered.find(({ key, why }) => key === wanted && why === undefined)?.run()
  }
  const opening = inList ? findOpening(offered) : undefined
  const open = useEffectEvent(() => opening && press(opening)())
  const canOpen = opening !== undefined
  useEffect(() => {
    register?.(canOpen ? open : undefined)
  }, [register, canOpen])
  // The name of the row opens it: its button is needed only where there is no other.
  const others = offered.filter((item) => item !== opening || item.key === 'edit')
  const { shown, rest } = arrange(others.length > 0 ? others : offered, { inList, wide })
  return (
    // A row may open on a click; its buttons and menus must not trigger that.
    <Flex gap={0} className="row-actions" justify="end" onClick={(event) => event.stopPropagation()}>
      {shown.map((item) => (
        <LinkButton {...item} key={item.key} run={press(item)} waits={item.key === wanted} />
      ))}
      {rest.length > 0 && (
        <More items={rest.map((item) => ({ ...item, run: press(item) }))} compact={!wide || inList} />
      )}
      {wanted !== undefined && <Written of={of} then={then} />}
    </Flex>
  )
}
