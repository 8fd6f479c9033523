import { warnRecords } from '@tocsin/contract/alarm/records'
import { useQuery } from '@tanstack/react-query'
import { readInPlace } from '#api/query.ts'
import { Answer, standing } from '#ui/statement/Answer.tsx'
import { ReadDrawer } from '#ui/above/ReadDrawer.tsx'
import { RecordSheet } from './RecordSheet.tsx'

/** One record in full; it reads again whenever anything happens to it. */
export const RecordDrawer = ({ id, onClose }: { id: number; onClose: () => void }) => {
  const query = useQuery(readInPlace(warnRecords.get, { query: { id } }))
  return (
    <ReadDrawer onClose={onClose} size="min(880px, 100vw)" title={standing(query)?.record.no ?? ''}>
      <Answer query={query}>{(detail) => <RecordSheet detail={detail} />}</Answer>
    </ReadDrawer>
  )
}
