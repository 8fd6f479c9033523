import { BulbOutlined, DownOutlined, GlobalOutlined, UserOutlined } from '@ant-design/icons'
import { Button, Dropdown } from 'antd'
import { useTranslation } from 'react-i18next'
import { auth } from '@tocsin/contract/system/auth'
import { call, leave } from '#api/call.ts'
import { live } from '#api/live.ts'
import { clearSession, useSession } from '#api/session.ts'
import { i18n } from '#texts/i18n.ts'
import { confirm } from '#ui/confirm.ts'
import { notify } from '#ui/notify.ts'
import { langs, prefer, themes, usePreferences } from './preferences.ts'

/** Each language in its own words, readable for whom it is meant. */
const langNames = { 'zh-cn': '中文', en: 'English' } as const

export const LanguageMenu = () => {
  const { t } = useTranslation()
  const { language } = usePreferences()
  const choose = async (key: (typeof langs)[number]) => {
    prefer({ language: key })
    await i18n.changeLanguage(key)
    notify.success(i18n.t('shell.languageSwitched'))
  }
  const items = langs.map((key) => ({ key, label: langNames[key], onClick: () => void choose(key) }))
  return (
    <Dropdown menu={{ items, selectedKeys: [language] }} trigger={['click']}>
      <Button type="text" icon={<GlobalOutlined />} aria-label={t('shell.language')} title={t('shell.language')} />
    </Dropdown>
  )
}

export const ThemeMenu = () => {
  const { t } = useTranslation()
  const { theme } = usePreferences()
  const items = themes.map((key) => ({ key, label: t(`shell.${key}`), onClick: () => prefer({ theme: key }) }))
  return (
    <Dropdown menu={{ items, selectedKeys: [theme] }} trigger={['click']}>
      <Button type="text" icon={<BulbOutlined />} aria-label={t('shell.theme')} title={t('shell.theme')} />
    </Dropdown>
  )
}

/** Ends the session here whether or not the server could be told; it ends there by itself in the end. */
const logout = async () => {
  live.stop()
  await call(auth.logout).catch(() => undefined)
  clearSession()
  leave('/login')
}

export const UserMenu = ({ compact }: { compact: boolean }) => {
  const { t } = useTranslation()
  const user = useSession((session) => session.user)
  const ask = async () => {
    if (await confirm({ title: t('shell.logoutAsk') })) await logout()
  }
  const items = [{ key: 'logout', label: t('shell.logout'), onClick: () => void ask() }]
  return (
    <Dropdown menu={{ items }} trigger={['click']}>
      <Button type="text" icon={<UserOutlined />} aria-label={user?.nickname ?? ''}>
        {!compact && user?.nickname}
        {!compact && <DownOutlined style={{ fontSize: 10 }} />}
      </Button>
    </Dropdown>
  )
}
