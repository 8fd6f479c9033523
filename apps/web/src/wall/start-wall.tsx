import { ConfigProvider } from 'antd'
import { useEffect, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { useTranslation } from 'react-i18next'
import { usePreferences } from '#shell/theme/preferences.ts'
import { antdTheme } from '#shell/theme/antd-theme.ts'
import { setLanguage, useLang } from '#texts/i18n.ts'
import { WallPage } from './WallPage.tsx'
import './wall.css'

const THEME_COLOR = '#1677ff'
const theme = antdTheme(THEME_COLOR, true, false)

const readToken = (): string => location.hash.slice(1)

/** The token of the address; another link may be opened in the same tab. */
const useToken = (): string => {
  const [token, setToken] = useState(readToken)
  useEffect(() => {
    const onChange = () => setToken(readToken())
    window.addEventListener('hashchange', onChange)
    return () => window.removeEventListener('hashchange', onChange)
  }, [])
  return token
}

const Wall = () => {
  const { t } = useTranslation()
  const lang = useLang()
  const token = useToken()
  useEffect(() => {
    document.documentElement.lang = lang === 'en' ? 'en' : 'zh-CN'
  }, [lang])
  if (!token) return <main className="wall-message">{t('wall.noToken')}</main>
  return <WallPage key={token} token={token} />
}

/** The wall in place of the console: always dark, and as large as its screen. */
export const startWall = async (root: Element): Promise<void> => {
  document.documentElement.classList.add('dark', 'wall')
  await setLanguage(usePreferences.getState().language).catch(() => undefined)
  createRoot(root).render(
    <ConfigProvider theme={theme}>
      <Wall />
    </ConfigProvider>,
  )
}
