import { beforeAll } from 'vitest'
import { transactionHooks } from '../src/areas/transaction-hooks.ts'
import { registerHooks } from '../src/db/transaction-hook.ts'

/** Runs handlers of later areas, by default all as the server does, until the end of the test file that calls it. */
export const useTransactionHooks = (registrations = transactionHooks) => {
  beforeAll(() => registerHooks(registrations))
}
