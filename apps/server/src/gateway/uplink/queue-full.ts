/** This node cannot keep the message, or it failed repeatedly. The device repeats it. */
export class QueueFullError extends Error {}
