import { WarnRecordRow } from '@tocsin/contract/alarm/record'
import { warnLogs } from '@tocsin/contract/alarm/log'
import { warnRecords } from '@tocsin/contract/alarm/records'
import { codes } from '@tocsin/contract/codes'
import type { Endpoint } from '@tocsin/contract/endpoint'
import { z } from 'zod'
import { call } from '#api/call.ts'
import { ApiError } from '#api/error.ts'
import { invalidate } from '#api/query.ts'
import { currentRowOf } from '#ui/edit-conflict/remote-row.ts'
import { cacheRecord } from '../queue/use-queue.ts'
import type { PersonVerb } from './available-actions.ts'

export type Body = { id: number; version?: number } & Record<string, unknown>

/** Carries a verb out. Done or refused, what the screen shows is read again. */
export const submitVerb = async (verb: PersonVerb, body: Body): Promise<WarnRecordRow> => {
  try {
    // Every verb takes its own body, checked while encoding, and answers the record; the union says less.
    const record = await (call as (e: Endpoint, input: unknown) => Promise<WarnRecordRow>)(warnRecords[verb], { body })
    cacheRecord(record)
    return record
  } finally {
    void invalidate(warnRecords.desk, warnLogs.page)
  }
}

/** The record as it is now, where the refusal carries it. */
export const recordFromError = (error: unknown): WarnRecordRow | undefined =>
  z.safeDecode(WarnRecordRow, currentRowOf(error) as z.input<typeof WarnRecordRow>).data

export const isReasonNeeded = (error: unknown): boolean =>
  error instanceof ApiError && error.code === codes.reasonNeeded.code
