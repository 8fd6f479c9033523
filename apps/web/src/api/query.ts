import type { Data, Endpoint, Input } from '@tocsin/contract/endpoint'
import { codes } from '@tocsin/contract/codes'
import {
  focusManager,
  type Mutation,
  MutationCache,
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
      /** Where the answer would stand it is said why there is none. */
      errorInPlace?: boolean
      /** Acted upon at a glance: as it was before a lock it must not be seen. */
      ofNow?: boolean
    }
    mutationMeta: {
      /** The form shows field errors, and a row that somebody else changed, itself. */
      fieldsInline?: boolean
      /** The resources it makes old; without this it may be any. */
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
    // Rest<E> of call is exactly this input; TypeScript cannot see that through the conditional type.
    queryFn: ({ signal }) =>
      (call as (e: Endpoint, input: unknown, signal: AbortSignal) => Promise<Data<E>>)(e, input, signal),
  })

/**
 * Where an ErrorState stands in place of the answer and needs no message besides. A list of a phone is such a place: the
 * message would lie over the same words.
 */
export const inlineError = { meta: { errorInPlace: true } }

export const inlineQuery = <E extends Endpoint>(e: E, input?: Input<E>) => ({ ...queryFor(e, input), ...inlineError })

/** What one may no more read he does not go on seeing: not what this read gave, and not what stood on other pages. */
const forget = (queryKey: readonly unknown[]) => {
  for (const query of client.getQueryCache().findAll({ queryKey: queryKey.slice(0, 2) }))
    if (query.state.status === 'error' || !query.isActive()) query.setState({ data: undefined, dataUpdatedAt: 0 })
}

export const client = new QueryClient({
  queryCache: new QueryCache({
    // A page that already shows data says how old it is; only an empty one needs the message.
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
      // An intranet page works while the browser believes that it is offline.
      networkMode: 'always',
    },
    mutations: { networkMode: 'always' },
  },
})

/** A window that nobody looks at rings too: there as well, a read that failed is tried again at once. */
export const enableBackgroundRefetch = (): void => {
  // Coming back to the window still reads what is old.
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
 * Keeps what was read, also when nobody shows it for longer than it is kept else, but for what is of this moment only.
 * @returns what ends it.
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

/** What was read and stands under the filter, each by its hash. */
export const cachedQueryHashes = (filter?: QueryFilters): string[] =>
  client
    .getQueryCache()
    .findAll(filter)
    .map(({ queryHash }) => queryHash)

/** One of them is old: where it is shown it is read again, in full after this call. */
export const refetchOne = async (hash: string): Promise<void> => {
  const query = client.getQueryCache().get(hash)
  if (!query) return
  // The library lets a first read that is under way pass for a new one; it may have been answered before.
  if (query.state.fetchStatus !== 'idle' && query.state.data === undefined) await query.promise?.catch(() => undefined)
  query.invalidate()
  await client.refetchQueries({ type: 'active', predicate: (one) => one === query })
}

/** All reads of these resources are old. */
export const invalidate = (...of: readonly Pick<Endpoint, 'path'>[]): Promise<unknown> =>
  Promise.all(of.flatMap((e) => cachedQueryHashes({ queryKey: [resource(e)] })).map(refetchOne))

/** Long enough for a database that is asked too much. */
const AGAIN_MS = 20_000

/** What is shown and could not be read again for a passing reason, tried once more. */
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
  /** Other resources this write changes. */
  also?: readonly Pick<Endpoint, 'path'>[]
  fieldsInline?: boolean
  /** Runs when it succeeded, also where the row that asked for it has gone with it; `mutate`'s own would not. */
  done?: () => void
}

/** A write that makes every read of its resource stale; errors are shown by SPEC 8 unless the form takes them. */
export const useApiMutation = <E extends Endpoint>(
  e: E,
  { also = [], fieldsInline = false, done }: WriteOptions = {},
) =>
  useMutation<Data<E>, ApiError, Input<E>>({
    mutationFn: (input) => (call as (e: Endpoint, input: unknown) => Promise<Data<E>>)(e, input),
    onSuccess: () => done?.(),
    // After a refusal too: a stale version or a lost claim means that the screen shows something old.
    onSettled: () => invalidate(e, ...also),
    meta: { fieldsInline, changes: [e, ...also].map(resource) },
  })

/** Writes under way that make a resource old, up to the end of reading it again; of all where none is named. */
export const pendingWrites = (of: string | undefined) => ({
  predicate: ({ meta }: Mutation<unknown, ApiError>) => !of || !meta?.changes || meta.changes.includes(of),
})
