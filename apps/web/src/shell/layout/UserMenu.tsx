import { DownOutlined } from '@ant-design/icons'
import { sizes } from '@tocsin/contract/access/preference'
import { Button } from 'antd'
import { useTranslation } from 'react-i18next'
import { useSession } from '#api/session.ts'
import { DropMenu } from '#ui/overlay/DropMenu.tsx'
import { Avatar } from '#ui/upload/Avatar.tsx'
import { chooseSize, sizeTexts } from '../theme/choose-preference.ts'
import { usePreferences } from '../theme/preferences.ts'
import { useNavigateStable } from '../navigation/use-navigate-stable.ts'
import { signOut } from '../sign-out.ts'
import { useFullScreen } from './FullScreen.tsx'

/** Path of the user guide. */
const DOCUMENT = '/document'

/** Document and project of SPEC 2: each is left out without an address. */
const useLinks = (paths: ReadonlySet<string>) => {
  const { t } = useTranslation()
  const go = useNavigateStable()
  const { documentUrl, projectUrl } = useSession((session) => session.site)
  const elsewhere = (url: string) => () => void window.open(url, '_blank', 'noreferrer,noopener')
  const inner = paths.has(DOCUMENT) ? () => go(DOCUMENT) : undefined
  return [
    { key: 'document', label: t('shell.document'), onClick: documentUrl ? elsewhere(documentUrl) : inner },
    { key: 'project', label: t('shell.project'), onClick: projectUrl ? elsewhere(projectUrl) : undefined },
  ].flatMap(({ onClick, ...link }) => (onClick ? [{ ...link, onClick }] : []))
}

/** Tools that do not fit into a narrow header. */
const useTools = () => {
  const { t } = useTranslation()
  const screen = useFullScreen()
  const choices = sizes.map((key) => ({ key, label: t(sizeTexts[key]), onClick: () => chooseSize(key) }))
  return [
    ...(screen ? [{ key: 'fullScreen', label: screen.words, onClick: screen.toggle }] : []),
    { type: 'group' as const, label: t('shell.size'), children: choices },
  ]
}

type Props = {
  compact: boolean
  /** The addresses that exist for this user. */
  paths: ReadonlySet<string>
  onSettings: () => void
  onLock: () => void
}

/** The navbar entries of SPEC 2. An entry whose page this user does not have is left out. */
export const UserMenu = ({ compact, paths, onSettings, onLock }: Props) => {
  const { t } = useTranslation()
  const go = useNavigateStable()
  const user = useSession((session) => session.user)
  const links = useLinks(paths)
  const tools = useTools()
  const size = usePreferences((all) => all.size)
  const pages = [
    { key: '/dashboard', label: t('shell.dashboard') },
    { key: '/profile', label: t('shell.profile') },
  ].filter(({ key }) => paths.has(key))
  const items = [
    ...pages.map((page) => ({ ...page, onClick: () => go(page.key) })),
    ...links,
    { key: 'settings', label: t('shell.settings'), onClick: onSettings },
    { key: 'lock', label: t('lock.menu'), extra: 'Alt L', onClick: onLock },
    ...(compact ? tools : []),
    { type: 'divider' as const },
    { key: 'logout', label: t('shell.logout'), onClick: () => void signOut() },
  ]
  return (
    <DropMenu menu={{ items, selectedKeys: [size] }}>
      <Button
        type="text"
        icon={<Avatar url={user?.avatar} name={user?.nickname} id={user?.id} />}
        aria-label={user?.nickname ?? ''}
      >
        {!compact && user?.nickname}
        {!compact && <DownOutlined style={{ fontSize: 10 }} />}
      </Button>
    </DropMenu>
  )
}
