/** That a device was heard of, or a stranger refused, is no event: what tells of it reads again so often. */
export const DEVICE_POLL_MS = 20_000
