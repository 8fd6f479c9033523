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
  /** Why it cannot be done with this row. */
  why?: string | undefined
}

/** Says when what is being written was answered and read again. */
const Written = ({ of, then }: { of: string | undefined; then: () => void }) => {
  const writing = useIsMutating(pendingWrites(of)) > 0
  const done = useEffectEvent(then)
  useEffect(() => {
    if (!writing) done()
  }, [writing])
  return null
}

/** Plain, as the kit's own does twenty things before it is drawn, and a tree of a city shows hundreds. */
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
  // Of the hundreds in a long list hardly one has something to tell.
  return why === undefined ? button : <Tooltip title={why}>{button}</Tooltip>
}

/** Its menu comes with the first press. */
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
      // Another one than that which was pressed, as it stands in the menu's frame now.
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

/** What can be done with a row: the first two at hand, the rest under "more"; on a phone all of it there. */
export const RowActions = ({ items }: { items: readonly (RowAction | false)[] }) => {
  const wide = useMedium()
  const of = use(ListResourceContext)
  const offered = items.filter((one) => one !== false)
  const shown = wide ? offered.slice(0, offered.length > 3 ? 2 : 3) : []
  const rest = offered.slice(shown.length)
  const [wanted, setWanted] = useState<string>()
  // The row is an old one until what was just saved is read again, and a form that begins with it would take the own
  // change for somebody else's.
  const press = (one: RowAction) => () => (client.isMutating(pendingWrites(of)) === 0 ? one.run() : setWanted(one.key))
  const then = () => {
    setWanted(undefined)
    offered.find(({ key, why }) => key === wanted && why === undefined)?.run()
  }
  return (
    // A row may open on a click; its buttons and their menus do something else.
    <Flex gap={0} style={{ width: 'max-content' }} onClick={(event) => event.stopPropagation()}>
      {shown.map((one) => (
        <LinkButton {...one} key={one.key} run={press(one)} waits={one.key === wanted} />
      ))}
      {rest.length > 0 && <More items={rest.map((one) => ({ ...one, run: press(one) }))} compact={!wide} />}
      {wanted !== undefined && <Written of={of} then={then} />}
    </Flex>
  )
}
