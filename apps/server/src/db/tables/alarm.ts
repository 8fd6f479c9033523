import { Assignment } from '@tocsin/contract/alarm/assignment'
import { WarnLog } from '@tocsin/contract/alarm/log'
import { outageKinds } from '@tocsin/contract/alarm/outage'
import { modes } from '@tocsin/contract/alarm/state-machine'
import { WarnRecord } from '@tocsin/contract/alarm/record'
import { WarnRule } from '@tocsin/contract/alarm/rule'
import { Id, Millis } from '@tocsin/contract/codecs'
import { z } from 'zod'
import { Bytes, editedFilled, Jsonb, table } from './table.ts'

export const signalKinds = ['ALARM', 'EVENT', 'UNPARSABLE', 'DERIVED'] as const
export const suppressions = [
  'NO_RULE',
  'SHADOW',
  'BELOW_REPEAT',
  'WAITING',
  'RECOVERY',
  'INFORMATION',
  'OUT_OF_HOURS',
] as const

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
      'deptIds',
      'schoolIds',
      'modelIds',
      'schedule',
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
      'commissioning',
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
      timeProven: z.boolean().nullable(),
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
  warnRuleHit: table(
    z.strictObject({
      ruleId: Id,
      deviceId: Id,
      eventId: z.string(),
      ruleVersion: z.int(),
      at: Millis,
      subject: z.string(),
      schoolId: Id.nullable(),
      deptId: Id,
    }),
    [],
    seen,
  ),
  warnRuleVersion: table(
    z.strictObject({ ruleId: Id, edition: z.int(), at: Millis, byId: Id.nullable(), content: Jsonb }),
    ['at'],
    'open',
  ),
  outage: table(
    z.strictObject({
      id: Id,
      kind: z.enum(outageKinds),
      subjectId: Id,
      name: z.string(),
      deviceId: Id,
      schoolId: Id.nullable(),
      deptId: Id,
      recordId: Id.nullable(),
      intoId: Id.nullable(),
      startedAt: Millis,
      changedAt: Millis,
      endedAt: Millis.nullable(),
    }),
    ['id', 'startedAt', 'changedAt'],
    seen,
  ),
  outageDevice: table(
    z.strictObject({
      outageId: Id,
      deviceId: Id,
      schoolId: Id.nullable(),
      deptId: Id,
      since: Millis,
      restoredAt: Millis.nullable(),
      raisedAt: Millis.nullable(),
    }),
    ['since'],
    seen,
  ),
  warnLog: table(
    WarnLog.omit({ actorAccount: true }).extend({ prevHash: Bytes, hash: Bytes }),
    ['id', 'payload'],
    seen,
  ),
  assignment: table(Assignment, ['id', 'state', 'onBehalf', 'assignedAt', 'version'], {
    ...seen,
    user: 'responder_user_id',
  }),
  assignmentStep: table(
    z.strictObject({
      id: Id,
      assignmentId: Id,
      stepKey: z.string(),
      verb: z.string(),
      byUserId: Id,
      at: Millis,
    }),
    ['id', 'at'],
    'open',
  ),
  assignmentPosition: table(
    z.strictObject({
      id: Id,
      assignmentId: Id,
      byUserId: Id,
      lng: z.number(),
      lat: z.number(),
      accuracyM: z.int(),
      at: Millis,
      receivedAt: Millis,
    }),
    ['id', 'receivedAt'],
    'open',
  ),
  trackView: table(z.strictObject({ recordId: Id, userId: Id, auditedAt: Millis }), [], 'open'),
  responderDuty: table(z.strictObject({ userId: Id, onDuty: z.boolean(), since: Millis }), ['since'], 'open'),
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
