import { MoreOutlined } from '@ant-design/icons'
import { useIsMutating } from '@tanstack/react-query'
import { Flex, Tooltip } from 'antd'
import { use, useEffect, useEffectEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { client, pendingWrites } from '#api/query.ts'
import { DropMenu } from '#ui/overlay/DropMenu.tsx'
import { ListResourceContext } from '#ui/list/list-resource-context.ts'
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
      {...(compact && { 'aria-label': t('list.operations') })}
      {...(open === undefined && { onClick: () => setOpen(true) })}
    >
      {compact ? <MoreOutlined /> : t('system.more')}
    </button>
  )
  if (open === undefined) return button
  const entries = items.map(({ key, label, run, danger = false, why }) => ({
    key,
    danger,
    disabled: why !== undefined,
    label: why === undefined ? label : <span title={why}>{`${label} (${why})`}</span>,
    onClick: run,
  }))
  return (
    <DropMenu menu={{ items: entries }} open={open} onOpenChange={setOpen}>
      {button}
    </DropMenu>
  )
}

/** The actions of a row: the first two as buttons, the rest under "more"; on a phone all of them there. */
export const RowActions = ({ items }: { items: readonly (RowAction | false)[] }) => {
  const wide = useMedium()
  const of = use(ListResourceContext)
  const offered = items.filter((item) => item !== false)
  const shown = wide ? offered.slice(0, offered.length > 3 ? 2 : 3) : []
  const rest = offered.slice(shown.length)
  const [wanted, setWanted] = useState<string>()
  // The row is outdated until the last write is refetched; a form that starts with it would show the own change as a
  // conflict.
  const press = (action: RowAction) => () =>
    client.isMutating(pendingWrites(of)) === 0 ? action.run() : setWanted(action.key)
  const then = () => {
    setWanted(undefined)
    offered.find(({ key, why }) => key === wanted && why === undefined)?.run()
  }
  return (
    // A row may open on a click; its buttons and menus must not trigger that.
    <Flex gap={0} style={{ width: 'max-content' }} onClick={(event) => event.stopPropagation()}>
      {shown.map((item) => (
        <LinkButton {...item} key={item.key} run={press(item)} waits={item.key === wanted} />
      ))}
      {rest.length > 0 && <More items={rest.map((item) => ({ ...item, run: press(item) }))} compact={!wide} />}
      {wanted !== undefined && <Written of={of} then={then} />}
    </Flex>
  )
}
