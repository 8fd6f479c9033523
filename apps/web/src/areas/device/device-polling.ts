/** Contacts of devices, and rejected unknown devices, emit no event: lists of them poll at this interval. */
export const DEVICE_POLL_MS = 20_000
