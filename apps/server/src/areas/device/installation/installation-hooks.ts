import { defineHook } from '#db/transaction-hook'

/** An installation was accepted. Later areas end what its expected press raised. */
export const installationAccepted = defineHook<{ deviceId: number }>('device.installationAccepted')
