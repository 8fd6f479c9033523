import { warnRecords } from '@tocsin/contract/alarm/records'
import { useQuery } from '@tanstack/react-query'
import { Skeleton } from 'antd'
import { readInPlace } from '#api/query.ts'
import { ErrorState } from '#ui/ErrorState.tsx'
import { ReadDrawer } from '#ui/above/ReadDrawer.tsx'
import { RecordSheet } from './RecordSheet.tsx'

/** One record in full; it reads again whenever anything happens to it. */
export const RecordDrawer = ({ id, onClose }: { id: number; onClose: () => void }) => {
  const { data, error, refetch } = useQuery(readInPlace(warnRecords.get, { query: { id } }))
  const body = () => {
    if (data) return <RecordSheet detail={data} />
    return error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <Skeleton active />
  }
  return (
    <ReadDrawer onClose={onClose} size="min(880px, 100vw)" title={data?.record.no ?? ''}>
      {body()}
    </ReadDrawer>
  )
}
