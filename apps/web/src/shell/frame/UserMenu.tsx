import { DownOutlined, UserOutlined } from '@ant-design/icons'
import { Button, Dropdown } from 'antd'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { useSession } from '#api/session.ts'
import { signOut } from '../sign-out.ts'

type Props = {
  compact: boolean
  /** The addresses that exist for this person. */
  paths: ReadonlySet<string>
  onSettings: () => void
}

/** SPEC 2's navbar entries. An entry whose page this person does not have is left out. */
export const UserMenu = ({ compact, paths, onSettings }: Props) => {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const user = useSession((session) => session.user)
  const pages = [
    { key: '/dashboard', label: t('shell.dashboard') },
    { key: '/profile', label: t('shell.profile') },
  ].filter(({ key }) => paths.has(key))
  const items = [
    ...pages.map((page) => ({ ...page, onClick: () => void navigate(page.key) })),
    { key: 'settings', label: t('shell.settings'), onClick: onSettings },
    { type: 'divider' as const },
    { key: 'logout', label: t('shell.logout'), onClick: () => void signOut() },
  ]
  return (
    <Dropdown menu={{ items }} trigger={['click']}>
      <Button type="text" icon={<UserOutlined />} aria-label={user?.nickname ?? ''}>
        {!compact && user?.nickname}
        {!compact && <DownOutlined style={{ fontSize: 10 }} />}
      </Button>
    </Dropdown>
  )
}
