import { schools } from '@tocsin/contract/school/school'
import { useQuery } from '@tanstack/react-query'
import { queryFor } from '#api/query.ts'

/** A school by its name, as far as it is in sight. */
export const SchoolName = ({ id }: { id: number | null }) => {
  const { data } = useQuery({ ...queryFor(schools.simpleList), staleTime: 60_000 })
  return <>{data?.find((one) => one.id === id)?.name ?? id ?? '—'}</>
}
