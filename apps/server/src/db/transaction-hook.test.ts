import { expect, it } from 'vitest'
import type { Db } from './db.ts'
import { addHook, defineHook, registerHooks, runHooks } from './transaction-hook.ts'

it('runs a handler once per transaction while any of two servers in the process has it registered', async () => {
  const calls: number[] = []
  const hook = defineHook<number>('test')
  const registrations = [addHook(hook, async (_trx, value) => void calls.push(value))]
  // The handler does not touch the database.
  const run = (value: number) => runHooks({} as Db, hook, value)
  const removals = [registerHooks(registrations), registerHooks(registrations)]
  for (const [value, remove] of removals.entries()) {
    await run(value)
    remove()
  }
  await run(2)
  expect(calls).toEqual([0, 1])
})
