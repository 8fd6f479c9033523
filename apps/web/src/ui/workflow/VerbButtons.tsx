import { Button, Flex } from 'antd'
import { useTranslation } from 'react-i18next'
import { DropMenu } from '#ui/overlay/DropMenu.tsx'

export type VerbButton = {
  key: string
  label: string
  run: () => void
  /** Cannot be taken back: stands last in the menu and is red there. */
  danger?: boolean
  loading?: boolean
}

/**
 * The verbs of a state: the first is the next step and the one filled button, up to two more are outlined, the rest is
 * under "more".
 */
export const VerbButtons = ({ verbs, outlined = 2 }: { verbs: readonly VerbButton[]; outlined?: 0 | 1 | 2 }) => {
  const { t } = useTranslation()
  const [next, ...others] = verbs.toSorted((a, b) => Number(a.danger ?? false) - Number(b.danger ?? false))
  if (!next) return null
  const shown = others.filter(({ danger }) => !danger).slice(0, outlined)
  const rest = others.filter((verb) => !shown.includes(verb))
  return (
    <Flex gap="small" wrap className="workflow-verbs">
      {!next.danger && (
        <Button type="primary" loading={next.loading ?? false} onClick={next.run}>
          {next.label}
        </Button>
      )}
      {shown.map((verb) => (
        <Button key={verb.key} loading={verb.loading ?? false} onClick={verb.run}>
          {verb.label}
        </Button>
      ))}
      {(rest.length > 0 || next.danger) && (
        <DropMenu
          menu={{
            items: (next.danger ? [next, ...rest] : rest).map(({ key, label, run, danger = false }) => ({
              key,
              label,
              danger,
              onClick: run,
            })),
          }}
        >
          <Button>{t('system.more')}</Button>
        </DropMenu>
      )}
    </Flex>
  )
}
