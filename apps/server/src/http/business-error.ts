import { codes } from '@tocsin/contract/codes'
import { type Code, type Params, errorMessage } from '@tocsin/contract/codes/code'
import type { FieldError } from '@tocsin/contract/issue'

/** A row of personal data that a response discloses: its table, like `users`, and the permission that reads it. */
export type DisclosedRow = { subject: string; id: number; permission: string }

/** An expected error that the user is told. `data` is sent in the envelope; personal data in it is audited. */
export class BusinessError extends Error {
  readonly code: number
  readonly of: Code
  readonly params: Params | undefined
  readonly data: Record<string, unknown> | undefined
  readonly discloses: DisclosedRow | undefined

  constructor(code: Code, params?: Params, data?: Record<string, unknown>, shows?: DisclosedRow) {
    super(errorMessage(code, params, 'zh-cn'))
    this.code = code.code
    this.of = code
    this.params = params
    this.data = data
    this.discloses = shows
  }
}

/** The same error for one of several items. */
export const errorForItem = (which: string, { of, params, data, discloses: shows }: BusinessError): BusinessError =>
  new BusinessError(of, { ...params, which }, data, shows)

/** Codes that mean a missing right. */
export const permissionErrorCodes: ReadonlySet<number> = new Set(
  [
    codes.forbidden,
    codes.beyondPermission,
    codes.beyondScope,
    codes.beyondAdmin,
    codes.moreRights,
    codes.noticeBeyond,
    codes.configSecurity,
    codes.configShorter,
    codes.officesNotYourself,
    codes.officesSecurity,
    codes.leadOnly,
    codes.leadReviews,
  ].map(({ code }) => code),
)
/** Tells whether the user lacked a right. */
export const isPermissionDenied = (error: unknown): error is BusinessError =>
  error instanceof BusinessError && permissionErrorCodes.has(error.code)

/** One or more invalid fields; the envelope carries the first message. */
export class ValidationError extends Error {
  readonly errors: FieldError[]
  constructor(errors: FieldError[]) {
    super(errors[0]?.message ?? '')
    this.errors = errors
  }
}
