import { Button, Empty, Result } from 'antd'
import { useTranslation } from 'react-i18next'
import { Link, Navigate, useLocation, useParams, useRouteError } from 'react-router'

const Home = () => {
  const { t } = useTranslation()
  return (
    <Link to="/">
      <Button type="primary">{t('shell.home')}</Button>
    </Link>
  )
}

export const NotFoundPage = () => {
  const { t } = useTranslation()
  return <Result status="404" title="404" subTitle={t('shell.notFoundTitle')} extra={<Home />} />
}

export const ForbiddenPage = () => {
  const { t } = useTranslation()
  return <Result status="403" title="401" subTitle={t('shell.forbiddenTitle')} extra={<Home />} />
}

export const NoMenuPage = () => {
  const { t } = useTranslation()
  return <Result status="info" title={t('shell.noMenuTitle')} subTitle={t('shell.noMenu')} />
}

export const EmptyDirectoryPage = () => {
  const { t } = useTranslation()
  return <Empty description={t('shell.emptyDirectory')} />
}

export const MissingScreenPage = ({ screen }: { screen: string }) => {
  const { t } = useTranslation()
  return (
    <Result
      status="warning"
      title={t('shell.missingScreen', { name: screen })}
      subTitle={t('shell.missingScreenHint')}
    />
  )
}

/** SPEC 2: /redirect/<path> forwards to the path. */
export const RedirectPage = () => {
  const { '*': path = '' } = useParams()
  const { search } = useLocation()
  return <Navigate replace to={`/${path}${search}`} />
}

const isGone = (error: unknown) =>
  error instanceof Error && /dynamically imported module|module script failed|Unable to preload/i.test(error.message)

/** In place of one page that failed; the menu and all other pages go on. */
export const PageError = () => {
  const { t } = useTranslation()
  const error = useRouteError()
  const gone = isGone(error)
  return (
    <Result
      status="error"
      title={t(gone ? 'shell.pageGone' : 'shell.pageBroken')}
      subTitle={gone ? undefined : t('shell.pageBrokenHint')}
      extra={
        <Button type="primary" onClick={() => location.reload()}>
          {t('shell.reload')}
        </Button>
      }
    />
  )
}
