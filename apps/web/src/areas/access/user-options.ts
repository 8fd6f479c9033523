import { users } from '@tocsin/contract/access/user'
import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { queryFor } from '#api/query.ts'

/** Options shown at once; others are found by typing. */
const OFFERED = 50
const TYPING_MS = 300
/** Maximum number of ids in one call. */
const NAMED = 200
/** Maximum length of the server's keyword, in characters. */
const TYPED_MOST = 30

const useDebounced = (typed: string): string => {
  const [settled, setSettled] = useState(typed)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(typed), TYPING_MS)
    return () => clearTimeout(timer)
  }, [typed])
  return settled
}

/** The visible users with these ids, enabled or not; undefined until all are loaded. */
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

/** The options of a user select: the first by name, search results, and the selected ones. */
export const useUserOptions = (chosen: readonly number[], labelOf: (person: Person) => string) => {
  const { t } = useTranslation()
  const [typed, setTyped] = useState('')
  const query = { keywords: useDebounced(typed) || undefined, pageSize: OFFERED }
  const { data: offered, isFetching } = useQuery({
    ...queryFor(users.simpleList, { query }),
    staleTime: 60_000,
    placeholderData: keepPreviousData,
  })
  const missing = offered ? chosen.filter((id) => offered.every((item) => item.id !== id)) : []
  const named = useUsersById(missing)
  const gone = named ? missing.filter((id) => named.every((item) => item.id !== id)) : []
  return {
    loading: isFetching || !named,
    options: [
      ...(offered ?? []).map((item) => ({ value: item.id, label: labelOf(item) })),
      ...(named ?? []).map((item) => ({ value: item.id, label: labelOf(item) })),
      ...gone.map((id) => ({ value: id, label: t('system.unoffered', { id }) })),
    ],
    showSearch: {
      filterOption: false as const,
      searchValue: typed,
      onSearch: (text: string) => setTyped(text.slice(0, TYPED_MOST)),
    },
  }
}
