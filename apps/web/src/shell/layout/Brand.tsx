import { theme } from 'antd'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { usePreferences } from '../theme/preferences.ts'

/** The link home: logo and name, which sidebarLogo of SPEC 3 hides together; the menu leads home too. */
export const Brand = ({ short = false }: { short?: boolean }) => {
  const { t } = useTranslation()
  const { token } = theme.useToken()
  const logo = usePreferences((all) => all.sidebarLogo)
  if (!logo) return null
  return (
    <Link
      to="/"
      className="brand"
      style={{ color: token.colorText }}
      {...(short && { 'aria-label': t('shell.product') })}
    >
      <img src="/favicon.svg" alt="" width={24} height={24} />
      {!short && t('shell.product')}
    </Link>
  )
}
