import type { UseQueryResult } from '@tanstack/react-query'
import { Alert, Skeleton } from 'antd'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { isPassing } from '#api/error.ts'
import { useAgo } from '../Ago.tsx'
import { ErrorState } from '../ErrorState.tsx'

/** How old what stands below is, while it cannot be read again. */
export const Old = ({ at }: { at: number }) => {
  const { t } = useTranslation()
  const ago = useAgo(at)
  return <Alert type="warning" showIcon title={t('list.failedSince', { ago })} />
}

/** What was read and may be shown still: not what the server refuses by now. */
export const standing = <D,>({ data, error }: Pick<UseQueryResult<D>, 'data' | 'error'>): D | undefined =>
  error && !isPassing(error) ? undefined : data

type Props<D> = {
  query: Pick<UseQueryResult<D>, 'data' | 'error' | 'dataUpdatedAt' | 'refetch'>
  children: (data: D) => ReactNode
}

/** The answer in its place, with its age when reading it again fails; or why there is none. */
export const Answer = <D,>({ query, children }: Props<D>) => {
  const { error, dataUpdatedAt, refetch } = query
  const data = standing(query)
  if (data === undefined)
    return error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <Skeleton active />
  return (
    <>
      {error && <Old at={dataUpdatedAt} />}
      {children(data)}
    </>
  )
}
