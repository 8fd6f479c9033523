import { WarnRecordRow } from '@tocsin/contract/alarm/record'
import { warnLogs } from '@tocsin/contract/alarm/log'
import { warnRecords } from '@tocsin/contract/alarm/records'
import { codes } from '@tocsin/contract/codes'
import type { Endpoint } from '@tocsin/contract/endpoint'
import { z } from 'zod'
import { call } from '#api/call.ts'
import { ApiError } from '#api/error.ts'
import { readAgain } from '#api/query.ts'
import { currentOf } from '#ui/stale/newer.ts'
import { learnRecord } from '../queue/use-queue.ts'
import type { PersonVerb } from './offer.ts'

export type Body = { id: number; version?: number } & Record<string, unknown>

/** Carries a verb out. Done or refused, what the screen shows is read again. */
export const perform = async (verb: PersonVerb, body: Body): Promise<WarnRecordRow> => {
  try {
    // Every verb takes its own body, checked while encoding, and answers the record; the union says less.
    const record = await (call as (e: Endpoint, input: unknown) => Promise<WarnRecordRow>)(warnRecords[verb], { body })
    learnRecord(record)
    return record
  } finally {
    void readAgain(warnRecords.desk, warnLogs.page)
  }
}

/** The record as it is now, where the refusal carries it. */
export const recordOf = (error: unknown): WarnRecordRow | undefined =>
  z.safeDecode(WarnRecordRow, currentOf(error) as z.input<typeof WarnRecordRow>).data

export const isReasonNeeded = (error: unknown): boolean =>
  error instanceof ApiError && error.code === codes.reasonNeeded.code
