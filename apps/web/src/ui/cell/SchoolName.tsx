import { schools } from '@tocsin/contract/school/school'
import { useQuery } from '@tanstack/react-query'
import { queryFor } from '#api/query.ts'

/** A school by its name, if the user can see it. */
export const SchoolName = ({ id }: { id: number | null }) => {
  const { data } = useQuery({ ...queryFor(schools.simpleList), staleTime: 60_000 })
  return <>{data?.find((item) => item.id === id)?.name ?? id ?? '–'}</>
}
