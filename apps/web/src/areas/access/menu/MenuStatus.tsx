import { type MenuRow, menus } from '@tocsin/contract/access/rights/menu'
import { Space, Switch, Tag } from 'antd'
import { useTranslation } from 'react-i18next'
import { useApiMutation } from '#api/query.ts'
import { useHasPermission } from '#api/session.ts'
import { useLang } from '#texts/i18n.ts'
import { confirm } from '#ui/confirm.ts'
import { notify } from '#ui/notify.ts'
import { StatusTag } from '#ui/cell/Status.tsx'

/** Enables or disables an entry with everything below it, for all users, after a question. */
const StatusSwitch = ({ of: menu }: { of: MenuRow }) => {
  const { t } = useTranslation()
  const lang = useLang()
  const change = useApiMutation(menus.update)
  const name = lang === 'en' ? menu.nameEn : menu.name
  const ask = async (status: boolean) => {
    const title = t(status ? 'menu.enableAsk' : 'menu.disableAsk', { name })
    if (!(await confirm({ title, ...(!status && { text: t('menu.statusHelp') }), danger: !status }))) return
    const body = { id: menu.id, status, version: menu.version }
    change.mutate({ body }, { onSuccess: () => notify.success(t('list.saved')) })
  }
  return (
    <Switch
      size="small"
      checked={menu.status}
      aria-label={t('menu.statusOf', { name })}
      // A disabled control could not get the focus back after the question.
      onChange={(status) => !change.isPending && void ask(status)}
    />
  )
}

/** Whether the entry is enabled, and whether it is hidden in the menu. */
export const MenuStatus = ({ of }: { of: MenuRow }) => {
  const { t } = useTranslation()
  const mayUpdate = useHasPermission('system:menu:update')
  return (
    <Space size={4} wrap>
      {mayUpdate ? <StatusSwitch of={of} /> : <StatusTag enabled={of.status} />}
      {!of.visible && of.type !== 'BUTTON' && <Tag style={{ marginInlineEnd: 0 }}>{t('menu.hidden')}</Tag>}
    </Space>
  )
}
