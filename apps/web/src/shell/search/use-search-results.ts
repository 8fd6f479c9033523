import { warnRecords } from '@tocsin/contract/alarm/records'
import { schools } from '@tocsin/contract/school/school'
import { users } from '@tocsin/contract/access/user'
import type { Page } from '@tocsin/contract/page'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { queryFor } from '#api/query.ts'
import { serverNow } from '#api/server-clock.ts'
import { useHasPermission } from '#api/session.ts'
import { enumLabel } from '#texts/enum-labels.ts'
import { useDebouncedValue } from '#ui/list/use-debounced-value.ts'
import type { SearchTarget } from './search.ts'

const MOST = 5
/** One day less than the maximum period of a record list. */
const WINDOW_MS = 91 * 86_400_000

/** Where each kind of item is shown; undefined when this user does not have that page. */
export type SearchTargets = { records: string | undefined; schools: string | undefined; users: string | undefined }

/** What the server finds for a debounced text, as far as this user may see it. */
const useWanted = (rested: string, permission: string, path: string | undefined) => {
  const may = useHasPermission(permission)
  return may && path !== undefined && [...rested].length >= 2 && rested.length <= 30
}

/** `open`: true until the server has answered. */
type Found = { targets: SearchTarget[]; open: boolean; failed: boolean }
const foundBy = <R>(
  { data, isLoading, isError }: UseQueryResult<Page<R>>,
  target: (row: R) => SearchTarget,
): Found => ({
  targets: (data?.list ?? []).map(target),
  open: isLoading,
  failed: isError,
})

const useRecords = (rested: string, path: string | undefined): Found => {
  const [from] = useState(() => new Date(serverNow() - WINDOW_MS))
  const query = useQuery({
    ...queryFor(warnRecords.page, { query: { keyword: rested, from, pageSize: MOST } }),
    enabled: useWanted(rested, 'warn:record:query', path),
  })
  return foundBy(query, ({ id, no, code, schoolName, placePath }) => {
    const place = [schoolName, placePath].filter(Boolean).join(' · ')
    return {
      key: `record ${id}`,
      icon: 'record',
      name: `${no} ${enumLabel('alarmCode', code, 'zh-cn')}`,
      nameEn: `${no} ${enumLabel('alarmCode', code, 'en')}`,
      path: `${path}?record=${id}`,
      above: [{ name: place, nameEn: place }],
    }
  })
}

/** An item with one name in both languages, in the list where it is shown. */
const named = (
  name: string,
  above: string,
  place: Pick<SearchTarget, 'key' | 'icon'> & { path: string },
): SearchTarget => ({
  ...place,
  name,
  nameEn: name,
  above: [{ name: above, nameEn: above }],
})

const useSchools = (rested: string, path: string | undefined): Found => {
  const query = useQuery({
    ...queryFor(schools.page, { query: { keyword: rested, pageSize: MOST } }),
    enabled: useWanted(rested, 'school:school:query', path),
  })
  return foundBy(query, ({ id, name, code }) =>
    named(name, code ?? '', {
      key: `school ${id}`,
      icon: 'school',
      path: `${path}?keyword=${encodeURIComponent(name)}`,
    }),
  )
}

const useUsers = (rested: string, path: string | undefined): Found => {
  const query = useQuery({
    ...queryFor(users.page, { query: { keywords: rested, pageSize: MOST } }),
    enabled: useWanted(rested, 'system:user:list', path),
  })
  return foundBy(query, ({ id, username, nickname, deptName }) =>
    named(`${nickname} ${username}`, deptName, {
      key: `user ${id}`,
      icon: 'user',
      path: `${path}?username=${encodeURIComponent(username)}`,
    }),
  )
}

/** Alarm records by number, place or device, newest first, schools by name or code, users by name. */
export const useSearchResults = (text: string, places: SearchTargets): Found => {
  const keyword = text.trim()
  const rested = useDebouncedValue(keyword)
  const all = [useRecords(rested, places.records), useSchools(rested, places.schools), useUsers(rested, places.users)]
  // Results of an earlier text would answer another question.
  if (rested !== keyword) return { targets: [], open: true, failed: false }
  return {
    targets: all.flatMap(({ targets }) => targets),
    open: all.some(({ open }) => open),
    failed: all.some(({ failed }) => failed),
  }
}
