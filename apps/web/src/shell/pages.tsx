import { CloudSyncOutlined, ToolOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { useTranslation } from 'react-i18next'
import { Navigate, useLocation, useParams, useRouteError } from 'react-router'
import { Statement } from '#ui/statement/Statement.tsx'
import { Exception } from './Exception.tsx'
import { join } from './menu.ts'

export const NotFoundPage = () => <Exception trouble="404" />

/** SPEC 2's /401: signed in, but this page is not for this person. */
export const ForbiddenPage = () => <Exception trouble="403" mark="401" />

export const EmptyDirectoryPage = () => {
  const { t } = useTranslation()
  return <Exception trouble="empty" detail={t('shell.emptyDirectory')} />
}

export const MissingScreenPage = ({ screen }: { screen: string }) => {
  const { t } = useTranslation()
  return (
    <Statement
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
  const { search } = useLocation()
  return <Navigate replace to={`${spelled(join('', path))}${search}`} />
}

const isGone = (error: unknown) =>
  error instanceof Error && /dynamically imported module|module script failed|Unable to preload/i.test(error.message)

/** In place of one page that failed; the menu and all other pages go on. */
export const PageError = () => {
  const { t } = useTranslation()
  const error = useRouteError()
  const reload = (
    <Button type="primary" onClick={() => location.reload()}>
      {t('shell.reload')}
    </Button>
  )
  if (!isGone(error)) return <Exception trouble="500" detail={t('shell.pageBrokenHint')} more={reload} />
  // The part of the application that this page needs did not come: cut off, or replaced by a newer version.
  return navigator.onLine ? (
    <Statement mark={<CloudSyncOutlined aria-hidden />} title={t('shell.pageGone')}>
      {reload}
    </Statement>
  ) : (
    <Exception trouble="network" more={reload} />
  )
}
