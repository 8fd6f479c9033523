import type { Db } from '#db/db'

type HookHandler<T> = (trx: Db, value: T) => Promise<void>

/**
 * A hook that later areas run inside the same transaction (DESIGN 4). An area exports its hooks; `main` registers the
 * handlers. A handler that throws rolls the transaction back.
 */
export type TransactionHook<T> = { readonly name: string; readonly handlers: HookHandler<T>[] }

export const defineHook = <T>(name: string): TransactionHook<T> => ({ name, handlers: [] })

export type HookRegistration = () => void

/** Declares a handler; it takes effect when `main` registers it. */
export const addHook =
  <T>(hook: TransactionHook<T>, reaction: HookHandler<T>): HookRegistration =>
  () => {
    hook.handlers.push(reaction)
  }

/** Runs every registered handler in order, in the given transaction. */
export const runHooks = async <T>(trx: Db, hook: TransactionHook<T>, value: T): Promise<void> => {
  for (const reaction of hook.handlers) await reaction(trx, value)
}
