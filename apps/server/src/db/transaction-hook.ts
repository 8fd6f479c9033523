import type { Db } from '#db/db'

type HookHandler<T> = (trx: Db, value: T) => Promise<void>

/**
 * Something that later areas react to inside the same transaction (DESIGN 4). An area exports its facts; `main`
 * registers the reactions; one that throws rolls the verb back.
 */
export type TransactionHook<T> = { readonly name: string; readonly handlers: HookHandler<T>[] }

export const defineHook = <T>(name: string): TransactionHook<T> => ({ name, handlers: [] })

export type HookRegistration = () => void

/** States a reaction; takes effect when `main` calls it. */
export const addHook =
  <T>(what: TransactionHook<T>, reaction: HookHandler<T>): HookRegistration =>
  () => {
    what.handlers.push(reaction)
  }

/** Runs every registered reaction in order, in the given transaction. */
export const runHooks = async <T>(trx: Db, what: TransactionHook<T>, value: T): Promise<void> => {
  for (const reaction of what.handlers) await reaction(trx, value)
}
