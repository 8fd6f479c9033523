import { codes } from '@tocsin/contract/codes'
import { type CallResult, type Failure, isRecord } from '../call.ts'
import type { Session } from '../session.ts'

/** The user's input on the way in, as far as it is known. */
export type EnteredCredentials = { username: string; password: string | undefined }

/** Continues with the answer of a sign-in: into the console, or to the missing step. @returns the failure. */
export type ContinueSignIn = (answer: CallResult<Session>, typed?: EnteredCredentials) => Failure | undefined

/** The ticket of a sign-in that needs a second factor, undefined for another refusal. */
export const factorTicket = ({ code, data }: Failure) =>
  code === codes.secondFactor.code && isRecord(data) && typeof data.ticket === 'string' ? data.ticket : undefined
