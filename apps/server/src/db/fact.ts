import type { Db } from '#db/db'

type Reaction<T> = (trx: Db, value: T) => Promise<void>

/**
 * Something that later areas react to inside the same transaction (DESIGN 4). An area exports its facts; `main`
 * registers the reactions; one that throws rolls the verb back.
 */
export type Fact<T> = { readonly name: string; readonly reactions: Reaction<T>[] }

export const fact = <T>(name: string): Fact<T> => ({ name, reactions: [] })

export type Registration = () => void

/** States a reaction; takes effect when `main` calls it. */
export const on =
  <T>(what: Fact<T>, reaction: Reaction<T>): Registration =>
  () => {
    what.reactions.push(reaction)
  }

/** Runs every registered reaction in order, in the given transaction. */
export const happened = async <T>(trx: Db, what: Fact<T>, value: T): Promise<void> => {
  for (const reaction of what.reactions) await reaction(trx, value)
}
