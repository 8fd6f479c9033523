import { isMoving, type JobView, jobs } from '@tocsin/contract/files/job'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { queryFor, invalidate, inlineQuery } from '#api/query.ts'
import type { ImportDefinition } from './import-definition.ts'

const POLL_MS = 700

/** An import whose window was closed; undefined until that is known. */
export const useUnfinishedImport = ({
  jobName,
  page,
}: ImportDefinition): { known: boolean; id: number | undefined } => {
  const { data, isFetchedAfterMount } = useQuery({ ...queryFor(jobs.myList), staleTime: 0 })
  const found = data?.find(
    ({ name, state, import: of }) =>
      name === jobName && (isMoving(state) || state === 'READY') && (page === undefined || of?.page === page),
  )
  return { known: isFetchedAfterMount, id: found?.id }
}

/** The figures of a check are stored when it ends. */
export type ImportPhase = 'choose' | 'checking' | 'preview' | 'writing' | 'over'

const phaseOf = (job: JobView | undefined): ImportPhase => {
  if (!job) return 'checking'
  if (job.state === 'READY') return 'preview'
  if (isMoving(job.state)) return 'bad' in job.counts ? 'writing' : 'checking'
  return 'over'
}

export const useImport = ({ list, endpoints }: ImportDefinition, unfinished: number | undefined) => {
  const [id, setId] = useState(unfinished)
  const { data: job, error } = useQuery({
    ...inlineQuery(jobs.get, { query: { id: id ?? 0 } }),
    enabled: id !== undefined,
    staleTime: 0,
    refetchInterval: ({ state }) => (!state.data || isMoving(state.data.state) ? POLL_MS : false),
  })
  const state = job?.state
  useEffect(() => {
    if (state === 'DONE' || state === 'CANCELLED') void invalidate(list)
    // Rows that were rolled back were checked again.
    if (state === 'READY') void invalidate(endpoints.rows)
  }, [state, list, endpoints])
  return {
    job: id === undefined ? undefined : job,
    /** Why its state is unknown, or an old one. */
    error: id === undefined ? null : error,
    phase: id === undefined ? ('choose' as const) : phaseOf(job),
    start: (next: number) => setId(next),
    again: () => setId(undefined),
    /** Reads the state again after a decision. */
    reread: () => invalidate(jobs.get),
  }
}
