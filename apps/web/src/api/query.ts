import type { Data, Endpoint, Input } from '@tocsin/contract/endpoint'
import { codes } from '@tocsin/contract/codes'
import {
  focusManager,
  type Mutation,
  MutationCache,
  type Query,
  QueryCache,
  QueryClient,
  QueryObserver,
  type QueryFilters,
  queryOptions,
  useMutation,
} from '@tanstack/react-query'
import { call } from './call.ts'
import { type ApiError, isTransient } from './error.ts'
import { shareUnchanged } from './structural-sharing.ts'
import { showError } from './messages.ts'

declare module '@tanstack/react-query' {
  interface Register {
    defaultError: ApiError
    queryMeta: {
      /** The error is shown in place of the answer. */
      errorInPlace?: boolean
      /** Acted upon at a glance: its state from before a lock must not be shown. */
      ofNow?: boolean
      /** A reload takes the answer from the storage of the tab. */
      tabCached?: boolean
    }
    mutationMeta: {
      /** The form shows field errors and a conflict with another user's edit itself. */
      fieldsInline?: boolean
      /** The resources that it makes stale; by default any. */
      changes?: readonly string[]
    }
  }
}

/** `/warn/record/page` belongs to `/warn/record`: one event or one write refreshes everything under it. */
export const resource = (e: Pick<Endpoint, 'path'>): string => e.path.split('/').slice(0, 3).join('/')

/** Query options of a reading endpoint, keyed by resource first. */
export const queryFor = <E extends Endpoint>(e: E, input?: Input<E>) =>
  queryOptions<Data<E>, ApiError>({
    queryKey: [resource(e), e.path, input ?? null],
    // This input equals Rest<E> of call; TypeScript cannot resolve the conditional type.
    queryFn: ({ signal }) =>
      (call as (e: Endpoint, input: unknown, signal: AbortSignal) => Promise<Data<E>>)(e, input, signal),
  })

/**
 * Where an ErrorState stands in place of the answer and no message is needed. A list on a phone is such a place: the
 * message would cover the same words.
 */
export const inlineError = { meta: { errorInPlace: true } }

export const inlineQuery = <E extends Endpoint>(e: E, input?: Input<E>) => ({ ...queryFor(e, input), ...inlineError })

/** Data that the user may no longer read disappears: the data of this read, and of other pages. */
const forget = (queryKey: readonly unknown[]) => {
  for (const query of client.getQueryCache().findAll({ queryKey: queryKey.slice(0, 2) }))
    if (query.state.status === 'error' || !query.isActive()) query.setState({ data: undefined, dataUpdatedAt: 0 })
}

export const client = new QueryClient({
  queryCache: new QueryCache({
    // A page that already shows data shows its age; only an empty one needs the message.
    onError: (error, query) => {
      if (error.code === codes.forbidden.code) forget(query.queryKey)
      if (query.state.data === undefined && !query.meta?.errorInPlace) showError(error)
    },
  }),
  mutationCache: new MutationCache({
    onError: (error, _input, _context, mutation) => {
      const mayInline = error.errors.length > 0 || error.code === codes.stale.code
      if (!(mutation.meta?.fieldsInline && mayInline)) showError(error)
    },
  }),
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      structuralSharing: shareUnchanged,
      retry: (failures, error) => failures < 2 && isTransient(error),
      // A page in an intranet works while the browser believes that it is offline.
      networkMode: 'always',
    },
    mutations: { networkMode: 'always' },
  },
})

/** A hidden window rings too: there as well, a failed read is retried at once. */
export const enableBackgroundRefetch = (): void => {
  // Returning to the window still refetches stale data.
  focusManager.setEventListener((back) => {
    const changed = () => {
      if (document.visibilityState === 'visible') back()
    }
    window.addEventListener('visibilitychange', changed)
    return () => window.removeEventListener('visibilitychange', changed)
  })
  focusManager.setFocused(true)
}

/**
 * Keeps data in the cache, also when it is not shown for longer than usual, except momentary data.
 * @returns the function that ends it.
 */
export const retainAll = (): (() => void) => {
  const all = client.getQueryCache().getAll()
  for (const query of all) if (query.meta?.ofNow) query.reset()
  const held = all
    .filter(({ meta }) => !meta?.ofNow)
    .map(({ options, queryKey }) => new QueryObserver(client, { ...options, queryKey, enabled: false }))
    .map((observer) => observer.subscribe(() => undefined))
  return () => {
    for (const end of held) end()
  }
}

/**
 * Whether an earlier page of this tab read it, and it is not stale yet: a page that becomes live for the first time
 * keeps it (SPEC 9).
 */
export const isFromEarlierPage = ({ meta, state }: Query): boolean =>
  meta?.['tabCached'] === true && !state.isInvalidated && state.dataUpdatedAt < performance.timeOrigin

/** The data under the filter, each by its hash. */
export const cachedQueryHashes = (filter?: QueryFilters): string[] =>
  client
    .getQueryCache()
    .findAll(filter)
    .map(({ queryHash }) => queryHash)

/** One of them is stale: where it is shown it is refetched after this call. */
export const refetchOne = async (hash: string): Promise<void> => {
  const query = client.getQueryCache().get(hash)
  if (!query) return
  // The library takes a first read in progress for a new one; it may have been answered before the change.
  if (query.state.fetchStatus !== 'idle' && query.state.data === undefined) await query.promise?.catch(() => undefined)
  query.invalidate()
  await client.refetchQueries({ type: 'active', predicate: (value) => value === query })
}

/** All reads of these resources are stale. */
export const invalidate = (...of: readonly Pick<Endpoint, 'path'>[]): Promise<unknown> =>
  Promise.all(of.flatMap((e) => cachedQueryHashes({ queryKey: [resource(e)] })).map(refetchOne))

/** Long enough for an overloaded database. */
const AGAIN_MS = 20_000

/** Retries once what is shown and could not be read for a temporary reason. */
export const retryTransient = (now = Date.now()): Promise<void> =>
  client.refetchQueries({
    type: 'active',
    predicate: ({ state }) =>
      state.data !== undefined &&
      state.fetchStatus === 'idle' &&
      isTransient(state.error) &&
      now - state.errorUpdatedAt >= AGAIN_MS,
  })

type WriteOptions = {
  /** Other resources that this write changes. */
  also?: readonly Pick<Endpoint, 'path'>[]
  fieldsInline?: boolean
  /** Runs after success, even when the row that requested it is gone; `mutate`'s own callback would not. */
  done?: () => void
}

/** A write that makes every read of its resource stale; errors are shown by SPEC 8 unless the form shows them. */
export const useApiMutation = <E extends Endpoint>(
  e: E,
  { also = [], fieldsInline = false, done }: WriteOptions = {},
) =>
  useMutation<Data<E>, ApiError, Input<E>>({
    mutationFn: (input) => (call as (e: Endpoint, input: unknown) => Promise<Data<E>>)(e, input),
    onSuccess: () => done?.(),
    // After a refusal too: a stale version or a lost claim means that the screen shows old data.
    onSettled: () => invalidate(e, ...also),
    meta: { fieldsInline, changes: [e, ...also].map(resource) },
  })

/** Running writes that make a resource stale, until it is read again; of all resources where none is named. */
export const pendingWrites = (of: string | undefined) => ({
  predicate: ({ meta }: Mutation<unknown, ApiError>) => !of || !meta?.changes || meta.changes.includes(of),
})
