import { type Code, fill, type Params } from '@tocsin/contract/codes'
import type { FieldError } from '@tocsin/contract/issue'

/** An expected "no", told to the user. `data` travels with the envelope. */
export class Refusal extends Error {
  readonly code: number
  readonly params: Params | undefined
  readonly data: Record<string, unknown> | undefined

  constructor(code: Code, params?: Params, data?: Record<string, unknown>) {
    super(fill(code.zh, params))
    this.code = code.code
    this.params = params
    this.data = data
  }
}

/** One or more refused fields; the first message is the envelope's. */
export class BadInput extends Error {
  readonly errors: FieldError[]
  constructor(errors: FieldError[]) {
    super(errors[0]?.message ?? '')
    this.errors = errors
  }
}
