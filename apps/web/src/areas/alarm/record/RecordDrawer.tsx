import { Answer, standing } from '#ui/statement/Answer.tsx'
import { ReadDrawer } from '#ui/above/ReadDrawer.tsx'
import { RecordSheet } from './RecordSheet.tsx'
import { useRecord } from './use-record.ts'

export const RecordDrawer = ({ id, onClose }: { id: number; onClose: () => void }) => {
  const query = useRecord(id)
  return (
    <ReadDrawer onClose={onClose} size="min(880px, 100vw)" title={standing(query)?.record.no ?? ''}>
      <Answer query={query}>{(detail) => <RecordSheet detail={detail} />}</Answer>
    </ReadDrawer>
  )
}
