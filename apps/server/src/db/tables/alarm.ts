import { WarnLog } from '@tocsin/contract/alarm/log'
import { modes } from '@tocsin/contract/alarm/state-machine'
import { WarnRecord } from '@tocsin/contract/alarm/record'
import { WarnRule } from '@tocsin/contract/alarm/rule'
import { Id, Millis } from '@tocsin/contract/codecs'
import { z } from 'zod'
import { Bytes, editedFilled, Jsonb, table } from './table.ts'

export const signalKinds = ['ALARM', 'EVENT', 'UNPARSABLE', 'DERIVED'] as const
export const suppressions = ['NO_RULE', 'SHADOW', 'BELOW_REPEAT', 'WAITING', 'RECOVERY', 'INFORMATION'] as const

const seen = { school: 'school_id', dept: 'dept_id' } as const

export const alarmTables = {
  warnRule: table(
    WarnRule,
    [
      ...editedFilled,
      'enabled',
      'shadow',
      'priority',
      'condition',
      'dedupBy',
      'reopenWindowSec',
      'recoverCodes',
      'autoRecover',
    ],
    'open',
  ),
  warnRecord: table(
    WarnRecord.extend({
      dedupKey: z.string(),
      leaseSessionId: Id.nullable(),
      logCount: z.int(),
      logHash: Bytes,
      faults: z.array(z.string()),
      endedAt: Millis.nullable(),
    }),
    [
      'id',
      'faults',
      'state',
      'open',
      'epoch',
      'condition',
      'silent',
      'late',
      'duress',
      'presserCancelled',
      'occurrenceCount',
      'pressCount',
      'sampled',
      'receivedAt',
      'version',
      'logCount',
      'logHash',
    ],
    seen,
  ),
  signal: table(
    z.strictObject({
      id: Id,
      deviceId: Id,
      eventId: z.string(),
      kind: z.enum(signalKinds),
      code: z.string(),
      mode: z.enum(modes),
      boot: z.int().nullable(),
      seq: z.int().nullable(),
      occurredAt: Millis,
      receivedAt: Millis,
      skewMs: z.int().nullable(),
      late: z.boolean(),
      zone: z.string().nullable(),
      pressCount: z.int().nullable(),
      body: Jsonb.nullable(),
      raw: Bytes.nullable(),
      via: z.enum(['MQTT', 'HTTP', 'SERVER']),
      schoolId: Id.nullable(),
      deptId: Id,
      recordId: Id.nullable(),
      suppressed: z.enum(suppressions).nullable(),
    }),
    ['id', 'receivedAt', 'late'],
    seen,
  ),
  warnLog: table(
    WarnLog.omit({ actorAccount: true }).extend({ prevHash: Bytes, hash: Bytes }),
    ['id', 'payload'],
    seen,
  ),
  warnSighting: table(
    z.strictObject({
      recordId: Id,
      sessionId: Id,
      userId: Id,
      displayedAt: Millis.nullable(),
      soundedAt: Millis.nullable(),
    }),
    [],
    'open',
  ),
}
