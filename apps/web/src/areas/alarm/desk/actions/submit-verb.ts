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

/** Submits a verb. Afterwards the screen refetches, successful or not. */
export const submitVerb = async (verb: PersonVerb, body: Body): Promise<WarnRecordRow> => {
  try {
    // Every verb takes its own body, validated during encoding, and returns the record; the union type is less precise.
    const record = await (call as (e: Endpoint, input: unknown) => Promise<WarnRecordRow>)(warnRecords[verb], { body })
    cacheRecord(record)
    return record
  } finally {
    void invalidate(warnRecords.desk, warnLogs.page)
  }
}

/** The current record, if the error carries it. */
export const recordFromError = (error: unknown): WarnRecordRow | undefined =>
  z.safeDecode(WarnRecordRow, currentRowOf(error) as z.input<typeof WarnRecordRow>).data

export const isReasonNeeded = (error: unknown): boolean =>
  error instanceof ApiError && error.code === codes.reasonNeeded.code
