import { CloudSyncOutlined, ToolOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { useTranslation } from 'react-i18next'
import { Navigate, useLocation, useNavigate, useParams } from 'react-router'
import { ResultMessage } from '#ui/result/ResultMessage.tsx'
import { ErrorPage } from './ErrorPage.tsx'
import { joinPaths } from './menu-routes.ts'

export const NotFoundPage = () => <ErrorPage trouble="404" />

/** /401 of SPEC 2: signed in, but without access to this page. The exception page of 403 says the same. */
export const ForbiddenPage = ({ mark }: { mark: '401' | '403' }) => <ErrorPage trouble="403" mark={mark} />

export const EmptyDirectoryPage = () => {
  const { t } = useTranslation()
  return <ErrorPage trouble="empty" detail={t('shell.emptyDirectory')} />
}

export const MissingScreenPage = ({ screen }: { screen: string }) => {
  const { t } = useTranslation()
  return (
    <ResultMessage
      mark={<ToolOutlined aria-hidden />}
      tone="warning"
      title={t('shell.missingScreen', { name: screen })}
      detail={t('shell.missingScreenHint')}
    />
  )
}

/** SPEC 2: /redirect/<path> forwards to the path. */
export const RedirectPage = ({ spelled }: { spelled: (path: string) => string }) => {
  const { '*': path = '' } = useParams()
  const { search, hash } = useLocation()
  return <Navigate replace to={`${spelled(joinPaths('', path))}${search}${hash}`} />
}

const Reload = () => {
  const { t } = useTranslation()
  return (
    <Button type="primary" onClick={() => location.reload()}>
      {t('shell.reload')}
    </Button>
  )
}

/** A chunk that could not be loaded; one that was loaded and fails is handled elsewhere. */
export const isGone = (error: unknown): boolean =>
  error instanceof Error && /dynamically imported module|module script failed|Unable to preload/i.test(error.message)

/** The chunk of this page could not be loaded: offline, or replaced by a newer version. */
export const MissingPartPage = () => {
  const { t } = useTranslation()
  return navigator.onLine ? (
    <ResultMessage mark={<CloudSyncOutlined aria-hidden />} title={t('shell.partMissing')}>
      <Reload />
    </ResultMessage>
  ) : (
    <ErrorPage trouble="network" more={<Reload />} />
  )
}

/** In place of one page that failed, which can be rendered again alone; the menu and all other pages continue. */
export const PageError = ({ onRetry }: { onRetry?: () => void }) => {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const { pathname, search, hash, state } = useLocation()
  // The router clears an error only with a navigation.
  const again = () => void navigate({ pathname, search, hash }, { replace: true, state })
  const more = (
    <>
      <Button type="primary" onClick={onRetry ?? again}>
        {t('shell.retry')}
      </Button>
      <Button onClick={() => location.reload()}>{t('shell.reload')}</Button>
    </>
  )
  return <ErrorPage trouble="500" detail={t('shell.pageBrokenHint')} more={more} />
}
