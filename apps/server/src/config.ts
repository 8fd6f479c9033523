import { resolve } from 'node:path'

/** The folder this product was checked out into. */
export const checkout = resolve(import.meta.dirname, '../../..')

/** A start that cannot go on for a reason the operator can mend: main prints the sentence alone and exits with 1. */
export class StartRefusal extends Error {}

/** What the parts below main log through; a pino logger fits. */
export type Log = Record<'info' | 'warn' | 'error', (text: string) => void>
