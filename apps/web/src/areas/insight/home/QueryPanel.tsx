import type { UseQueryResult } from '@tanstack/react-query'
import { Skeleton } from 'antd'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ErrorState } from '#ui/ErrorState.tsx'
import { formatTime } from '#ui/time.ts'
import { displayableData, StaleDataAlert } from '#ui/result/QueryResult.tsx'
import { Panel } from './Panel.tsx'

type Props<D> = {
  title: ReactNode
  extra?: ReactNode
  wide?: boolean
  /** No event tells that these figures changed: they show the time they are of. */
  timed?: boolean
  query: Pick<UseQueryResult<D>, 'data' | 'error' | 'dataUpdatedAt' | 'refetch'>
  children: (data: D) => ReactNode
}

/** A card with an answer of its own: when it fails, the old figures stay, greyed, with their age; other cards go on. */
export const QueryPanel = <D,>({ title, extra, wide = false, timed = false, query, children }: Props<D>) => {
  const { t } = useTranslation()
  const { error, dataUpdatedAt, refetch } = query
  const data = displayableData(query)
  return (
    <Panel title={title} extra={extra} wide={wide}>
      {data === undefined ? (
        error ? (
          <ErrorState error={error} onRetry={() => void refetch()} />
        ) : (
          <Skeleton active paragraph={{ rows: 2 }} />
        )
      ) : (
        <>
          {error && <StaleDataAlert at={dataUpdatedAt} />}
          <div className={error ? 'home-stale' : undefined}>{children(data)}</div>
          {timed && !error && (
            <div className="home-as-of">{t('home.asOf', { time: formatTime(dataUpdatedAt).slice(0, 5) })}</div>
          )}
        </>
      )}
    </Panel>
  )
}
