/** A message that cannot be applied: the element or field, and why; English, for the log of the sender. */
export class ExchangeError extends Error {
  readonly field: string
  readonly status: number
  constructor(field: string, why: string, status = 400) {
    super(`${field} ${why}`)
    this.field = field
    this.status = status
  }
}
