import { isMoving, type JobView, jobs } from '@tocsin/contract/files/job'
import { users } from '@tocsin/contract/access/user'
import { userImports } from '@tocsin/contract/access/user-import'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { queryFor, invalidate, inlineQuery } from '#api/query.ts'

const WATCH_MS = 700
const IMPORT_JOB = 'user-import'

/** An import that somebody closed the window of; undefined until that is known. */
export const useUnfinished = (): { known: boolean; id: number | undefined } => {
  const { data, isFetchedAfterMount } = useQuery({ ...queryFor(jobs.myList), staleTime: 0 })
  const found = data?.find(({ name, state }) => name === IMPORT_JOB && (isMoving(state) || state === 'READY'))
  return { known: isFetchedAfterMount, id: found?.id }
}

/** Where an import is: the figures of its check come with the check's end. */
export type Phase = 'choose' | 'checking' | 'preview' | 'writing' | 'over'

const phaseOf = (job: JobView | undefined): Phase => {
  if (!job) return 'checking'
  if (job.state === 'READY') return 'preview'
  if (isMoving(job.state)) return 'bad' in job.counts ? 'writing' : 'checking'
  return 'over'
}

export const useImport = (unfinished: number | undefined) => {
  const [id, setId] = useState(unfinished)
  const { data: job, error } = useQuery({
    ...inlineQuery(jobs.get, { query: { id: id ?? 0 } }),
    enabled: id !== undefined,
    staleTime: 0,
    refetchInterval: ({ state }) => (!state.data || isMoving(state.data.state) ? WATCH_MS : false),
  })
  const state = job?.state
  useEffect(() => {
    if (state === 'DONE' || state === 'CANCELLED') void invalidate(users.page)
    // What was taken back was judged again.
    if (state === 'READY') void invalidate(userImports.rows)
  }, [state])
  return {
    job: id === undefined ? undefined : job,
    /** Why its state is not known, or is that of before. */
    error: id === undefined ? null : error,
    phase: id === undefined ? ('choose' as const) : phaseOf(job),
    start: (next: number) => setId(next),
    again: () => setId(undefined),
    /** After a decision: what the server knows now. */
    reread: () => invalidate(jobs.get),
  }
}
