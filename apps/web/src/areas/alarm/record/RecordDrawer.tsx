import { QueryResult, displayableData } from '#ui/result/QueryResult.tsx'
import { ReadDrawer } from '#ui/overlay/ReadDrawer.tsx'
import { RecordPanel } from './RecordPanel.tsx'
import { useRecord } from './use-record.ts'

export const RecordDrawer = ({ id, onClose }: { id: number; onClose: () => void }) => {
  const query = useRecord(id)
  return (
    <ReadDrawer onClose={onClose} size="min(880px, 100vw)" title={displayableData(query)?.record.no ?? ''}>
      <QueryResult query={query}>{(detail) => <RecordPanel detail={detail} />}</QueryResult>
    </ReadDrawer>
  )
}
