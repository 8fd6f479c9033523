import { codes } from '@tocsin/contract/codes'
import { type CallResult, type Failure, isRecord } from '../call.ts'
import type { Session } from '../session.ts'

/** What the person typed on the way in, as far as it is known. */
export type EnteredCredentials = { username: string; password: string | undefined }

/** Goes on with the answer to a sign-in: into the console, or to the step that is missing. @returns what failed. */
export type ContinueSignIn = (answer: CallResult<Session>, typed?: EnteredCredentials) => Failure | undefined

/** The ticket of a sign-in that wants a second factor, undefined when the refusal is another. */
export const factorTicket = ({ code, data }: Failure) =>
  code === codes.secondFactor.code && isRecord(data) && typeof data.ticket === 'string' ? data.ticket : undefined
