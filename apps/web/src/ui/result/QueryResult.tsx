import type { UseQueryResult } from '@tanstack/react-query'
import { Alert, Skeleton } from 'antd'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { isTransient } from '#api/error.ts'
import { useRelativeTime } from '../RelativeTime.tsx'
import { ErrorState } from '../ErrorState.tsx'

/** How old what stands below is, while it cannot be read again. */
export const StaleDataAlert = ({ at }: { at: number }) => {
  const { t } = useTranslation()
  const ago = useRelativeTime(at)
  return <Alert type="warning" showIcon title={t('list.failedSince', { ago })} />
}

/** What was read and may be shown still: not what the server refuses by now. */
export const displayableData = <D,>({ data, error }: Pick<UseQueryResult<D>, 'data' | 'error'>): D | undefined =>
  error && !isTransient(error) ? undefined : data

type Props<D> = {
  query: Pick<UseQueryResult<D>, 'data' | 'error' | 'dataUpdatedAt' | 'refetch'>
  children: (data: D) => ReactNode
}

/** The answer in its place, with its age when reading it again fails; or why there is none. */
export const QueryResult = <D,>({ query, children }: Props<D>) => {
  const { error, dataUpdatedAt, refetch } = query
  const data = displayableData(query)
  if (data === undefined)
    return error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <Skeleton active />
  return (
    <>
      {error && <StaleDataAlert at={dataUpdatedAt} />}
      {children(data)}
    </>
  )
}
