import { defineHook } from '#db/transaction-hook'

/** The window of a button test is over, or the test was closed. Later areas end what its expected presses raised. */
export const buttonTestEnded = defineHook<{ planId: number }>('device.buttonTestEnded')
