import type { Db } from '#db/db'

type HookHandler<T> = (trx: Db, value: T) => Promise<void>

/**
 * A hook that later areas run inside the same transaction (DESIGN 4). An area exports its hooks; a process registers the
 * handlers while it serves. A handler that throws rolls the transaction back.
 */
export type TransactionHook<T> = {
  readonly name: string
  /** Each with the number of its registrations: servers that share a process share the handlers, and each runs once. */
  readonly handlers: Map<HookHandler<T>, number>
}

export const defineHook = <T>(name: string): TransactionHook<T> => ({ name, handlers: new Map() })

/** Registers a handler and returns what removes it. */
export type HookRegistration = () => () => void

/** Declares a handler; it takes effect when it is registered. */
export const addHook =
  <T>({ handlers }: TransactionHook<T>, handler: HookHandler<T>): HookRegistration =>
  () => {
    handlers.set(handler, (handlers.get(handler) ?? 0) + 1)
    return () => {
      const left = (handlers.get(handler) ?? 0) - 1
      if (left > 0) handlers.set(handler, left)
      else handlers.delete(handler)
    }
  }

/** Registers handlers and returns what removes them all. */
export const registerHooks = (registrations: readonly HookRegistration[]): (() => void) => {
  const removals = registrations.map((register) => register())
  return () => {
    for (const remove of removals) remove()
  }
}

/** Runs every registered handler in order, in the given transaction. */
export const runHooks = async <T>(trx: Db, hook: TransactionHook<T>, value: T): Promise<void> => {
  for (const handler of hook.handlers.keys()) await handler(trx, value)
}
