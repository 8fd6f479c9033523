import { defineHook } from '#db/transaction-hook'

/**
 * A person closed the button test, or only its window is over. Later areas end what its expected presses raised.
 */
export const buttonTestEnded = defineHook<{ planId: number; isClosed: boolean }>('device.buttonTestEnded')
