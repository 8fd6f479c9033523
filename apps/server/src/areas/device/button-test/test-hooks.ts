import { defineHook } from '#db/transaction-hook'

/** A button test was closed; its results are final. Later areas end what its presses raised. */
export const buttonTestClosed = defineHook<{ planId: number; deviceIds: readonly number[]; from: Date; to: Date }>(
  'device.buttonTestClosed',
)
