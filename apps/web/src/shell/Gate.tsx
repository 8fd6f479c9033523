import { auth, type PermissionInfo } from '@tocsin/contract/system/auth'
import { useQuery } from '@tanstack/react-query'
import { Flex, Spin, Typography } from 'antd'
import { type ReactNode, useEffect, useLayoutEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { toSignIn } from '#api/call.ts'
import { isPassing } from '#api/error.ts'
import { live } from '#api/live.ts'
import { read } from '#api/query.ts'
import { clearSession, keepPermission } from '#api/session.ts'
import { ENDED, stored } from '#api/storage.ts'

/** Another tab signed out, or somebody else signed in there: this page is no longer whose it was. */
const useOtherTabs = () =>
  useEffect(() => {
    const heard = ({ key, newValue }: StorageEvent) => {
      const gone = newValue === null && (key === null || key === 'ACCESS_TOKEN' || key === 'PERMISSIONS')
      if (!gone) return
      if (stored(ENDED)) toSignIn('expired')
      else location.reload()
    }
    window.addEventListener('storage', heard)
    return () => window.removeEventListener('storage', heard)
  }, [])

const RETRY_MS = 3000

/** Nothing is shown before the server said who this is and what he may see (SPEC 2). */
export const Gate = ({ children }: { children: (granted: PermissionInfo) => ReactNode }) => {
  const { t } = useTranslation()
  const { data, error } = useQuery({
    ...read(auth.permissionInfo),
    staleTime: Number.POSITIVE_INFINITY,
    // A server that is away for a moment must not sign everybody out.
    refetchInterval: (query) => (query.state.status === 'error' && isPassing(query.state.error) ? RETRY_MS : false),
  })
  useOtherTabs()
  // Before the pages ask whose tags and searches are kept here.
  useLayoutEffect(() => {
    if (data) keepPermission(data)
  }, [data])
  useEffect(() => {
    if (!error || isPassing(error) || data) return
    clearSession()
    toSignIn('expired')
  }, [error, data])
  const known = data !== undefined
  useEffect(() => {
    if (!known) return
    live.start()
    return live.stop
  }, [known])
  if (data) return children(data)
  return (
    <Flex vertical align="center" justify="center" gap="middle" style={{ minHeight: '100dvh' }}>
      <Spin size="large" />
      {error && isPassing(error) && <Typography.Text>{t('shell.serverAway')}</Typography.Text>}
    </Flex>
  )
}
