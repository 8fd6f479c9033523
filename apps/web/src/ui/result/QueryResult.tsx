import type { UseQueryResult } from '@tanstack/react-query'
import { Alert, Skeleton } from 'antd'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { isTransient, isUnexpectedError } from '#api/error.ts'
import { useRelativeTime } from '../RelativeTime.tsx'
import { ErrorState } from '../ErrorState.tsx'

/** The age of the content below, while it cannot be refetched. */
export const StaleDataAlert = ({ at }: { at: number }) => {
  const { t } = useTranslation()
  const ago = useRelativeTime(at)
  return <Alert type="warning" showIcon title={t('list.failedSince', { ago })} />
}

/** The loaded data that may still be shown: not what the server rejects by now. A failure of the server rejects nothing. */
export const displayableData = <D,>({ data, error }: Pick<UseQueryResult<D>, 'data' | 'error'>): D | undefined =>
  error && !isTransient(error) && !isUnexpectedError(error) ? undefined : data

type Props<D> = {
  query: Pick<UseQueryResult<D>, 'data' | 'error' | 'dataUpdatedAt' | 'refetch'>
  children: (data: D) => ReactNode
}

/** The answer in its place, with its age when a refetch fails; or the reason why there is none. */
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
