import { MoreOutlined } from '@ant-design/icons'
import { Button, Flex, Tooltip } from 'antd'
import { useTranslation } from 'react-i18next'
import { DropMenu } from '#ui/above/DropMenu.tsx'
import { useMedium } from '#ui/screen/media.ts'

export type RowAction = {
  key: string
  label: string
  run: () => void
  danger?: boolean
  /** Why it cannot be done with this row. */
  why?: string | undefined
}

const LinkButton = ({ label, run, danger = false, why }: RowAction) => {
  const button = (
    <Button size="small" type="link" danger={danger} disabled={why !== undefined} onClick={run}>
      {label}
    </Button>
  )
  // Of the hundreds in a long list hardly one has something to tell.
  return why === undefined ? button : <Tooltip title={why}>{button}</Tooltip>
}

const More = ({ items, compact }: { items: readonly RowAction[]; compact: boolean }) => {
  const { t } = useTranslation()
  const entries = items.map(({ key, label, run, danger = false, why }) => ({
    key,
    danger,
    disabled: why !== undefined,
    label: why === undefined ? label : <span title={why}>{`${label} (${why})`}</span>,
    onClick: run,
  }))
  return (
    <DropMenu menu={{ items: entries }}>
      {compact ? (
        <Button size="small" type="text" icon={<MoreOutlined />} aria-label={t('list.operations')} />
      ) : (
        <Button size="small" type="link">
          {t('system.more')}
        </Button>
      )}
    </DropMenu>
  )
}

/** What can be done with a row: the first two at hand, the rest under "more"; on a phone all of it there. */
export const RowActions = ({ items }: { items: readonly (RowAction | false)[] }) => {
  const wide = useMedium()
  const offered = items.filter((one) => one !== false)
  const shown = wide ? offered.slice(0, offered.length > 3 ? 2 : 3) : []
  const rest = offered.slice(shown.length)
  return (
    // A row may open on a click; its buttons and their menus do something else.
    <Flex gap={0} style={{ width: 'max-content' }} onClick={(event) => event.stopPropagation()}>
      {shown.map((one) => (
        <LinkButton {...one} key={one.key} />
      ))}
      {rest.length > 0 && <More items={rest} compact={!wide} />}
    </Flex>
  )
}
