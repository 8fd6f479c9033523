import { users } from '@tocsin/contract/access/user'
import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { queryFor } from '#api/query.ts'

/** What a list of choices shows at once; whoever is not among them is found by typing. */
const OFFERED = 50
const TYPING_MS = 300
/** Of one call. */
const NAMED = 200
/** What the server searches by, in characters. */
const TYPED_MOST = 30

const useDebounced = (typed: string): string => {
  const [settled, setSettled] = useState(typed)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(typed), TYPING_MS)
    return () => clearTimeout(timer)
  }, [typed])
  return settled
}

/** The people of these ids whom the person may see, enabled or not; undefined until all are known. */
export const useUsersById = (ids: readonly number[]) =>
  useQueries({
    queries: Array.from({ length: Math.ceil(ids.length / NAMED) }, (_, at) => ({
      ...queryFor(users.simpleList, { query: { ids: ids.slice(at * NAMED, (at + 1) * NAMED) } }),
      staleTime: 60_000,
    })),
    combine: (answers) =>
      answers.some(({ data }) => data === undefined) ? undefined : answers.flatMap(({ data = [] }) => data),
  })

type Person = { id: number; nickname: string; deptName: string }

/** What a choice of people takes: the first by name, those with the typed letters, and whoever is chosen. */
export const useUserOptions = (chosen: readonly number[], labelOf: (person: Person) => string) => {
  const { t } = useTranslation()
  const [typed, setTyped] = useState('')
  const query = { keywords: useDebounced(typed) || undefined, pageSize: OFFERED }
  const { data: offered, isFetching } = useQuery({
    ...queryFor(users.simpleList, { query }),
    staleTime: 60_000,
    placeholderData: keepPreviousData,
  })
  const missing = offered ? chosen.filter((id) => offered.every((one) => one.id !== id)) : []
  const named = useUsersById(missing)
  const gone = named ? missing.filter((id) => named.every((one) => one.id !== id)) : []
  return {
    loading: isFetching || !named,
    options: [
      ...(offered ?? []).map((one) => ({ value: one.id, label: labelOf(one) })),
      ...(named ?? []).map((one) => ({ value: one.id, label: labelOf(one) })),
      ...gone.map((id) => ({ value: id, label: t('system.unoffered', { id }) })),
    ],
    showSearch: {
      filterOption: false as const,
      searchValue: typed,
      onSearch: (text: string) => setTyped(text.slice(0, TYPED_MOST)),
    },
  }
}
