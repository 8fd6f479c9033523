import { Id, Millis } from '@tocsin/contract/codecs'
import { Device, DeviceLogEntry, DeviceState, UnknownDevice } from '@tocsin/contract/device/device'
import { DeviceCommand } from '@tocsin/contract/device/command'
import { MaintenanceLogEntry, MaintenanceOrder } from '@tocsin/contract/device/maintenance'
import { Procedure, ProcedureVersion } from '@tocsin/contract/device/procedure/procedure'
import { ProgramPackage, Rollout, RolloutDevice } from '@tocsin/contract/device/rollout/rollout'
import { ProcedureRun, ProcedureRunStep } from '@tocsin/contract/device/procedure/run'
import { DeviceModel } from '@tocsin/contract/device/model'
import { SchoolDevice } from '@tocsin/contract/device/school-device'
import { TestPlan, TestResult } from '@tocsin/contract/device/button-test'
import { z } from 'zod'
import { Bytes, editedFilled, Jsonb, table } from './table.ts'

export const deviceTables = {
  deviceModel: table(
    DeviceModel,
    [...editedFilled, 'alarmCodes', 'heartbeatSec', 'offlineAfterSec', 'protocol', 'capabilities', 'commandSchema'],
    'open',
  ),
  device: table(Device, [...editedFilled, 'lifecycle'], { school: 'school_id', dept: 'dept_id' }),
  deviceLog: table(
    DeviceLogEntry.omit({ userName: true, userAccount: true }).extend({ schoolId: Id.nullable() }),
    ['id', 'at'],
    'open',
  ),
  // Reached through the device, which has the visibility.
  deviceCommand: table(
    DeviceCommand.extend({ schoolId: Id.nullable() }),
    ['id', 'payload', 'state', 'createdAt'],
    'open',
  ),
  deviceCredential: table(
    z.strictObject({
      id: Id,
      deviceId: Id,
      secretHash: Bytes,
      httpKeySealed: Bytes,
      brokerHash: z.string(),
      createdAt: Millis,
      expiresAt: Millis.nullable(),
      certFingerprint: Bytes.nullable(),
      lastUsedAt: Millis.nullable(),
    }),
    ['id', 'createdAt'],
    'open',
  ),
  schoolDevice: table(SchoolDevice, [...editedFilled, 'cameraIds', 'silent', 'status', 'validFrom'], {
    school: 'school_id',
  }),
  deviceState: table(
    DeviceState.extend({
      httpBoot: z.int().nullable(),
      httpUpMs: z.int().nullable(),
      skewBoot: z.int().nullable(),
      bootClockMs: z.int().nullable(),
      latched: z.boolean().nullable(),
      resetAt: Millis.nullable(),
    }),
    ['connectivity', 'since', 'changeCount', 'flapping'],
    'open',
  ),
  deviceConnectivity: table(
    z.strictObject({ deviceId: Id, at: Millis, fromState: z.string(), toState: z.string(), reason: z.string() }),
    ['at'],
    'open',
  ),
  deviceMessage: table(
    z.strictObject({
      deviceId: Id,
      at: Millis,
      channel: z.enum(['state', 'reply', 'ota', 'media']),
      message: Jsonb.nullable(),
      raw: Bytes.nullable(),
      reason: z.string().nullable(),
    }),
    ['at'],
    'open',
  ),
  deviceNonce: table(z.strictObject({ deviceId: Id, nonce: z.string(), at: Millis }), ['at'], 'open'),
  gatewayNode: table(
    z.strictObject({ id: z.string(), listeningSince: Millis, beatAt: Millis }),
    ['listeningSince', 'beatAt'],
    'open',
  ),
  deviceOutbox: table(
    z.strictObject({
      id: Id,
      deviceId: Id,
      channel: z.enum(['ack', 'cmd', 'config', 'time']),
      key: z.string(),
      payload: Jsonb,
      createdAt: Millis,
      expiresAt: Millis.nullable(),
      sentAt: Millis.nullable(),
    }),
    ['id', 'createdAt'],
    'open',
  ),
  testPlan: table(TestPlan, [...editedFilled], { school: 'school_id' }),
  testResult: table(TestResult, ['id', 'result'], { school: 'school_id' }),
  // The assignee sees the order wherever the device belongs.
  maintenanceOrder: table(MaintenanceOrder, [...editedFilled, 'state', 'reopenCount'], {
    school: 'school_id',
    dept: 'dept_id',
    user: 'assignee_id',
  }),
  // Read only through the order, which has the visibility.
  maintenanceLog: table(MaintenanceLogEntry, ['id', 'at'], 'open'),
  procedure: table(Procedure, [...editedFilled, 'levels', 'placeKinds', 'steps', 'status', 'changed'], 'open'),
  procedureVersion: table(ProcedureVersion, ['id', 'levels', 'placeKinds', 'publishedAt'], 'open'),
  // The person who works at a device sees the run wherever the device belongs.
  procedureRun: table(ProcedureRun, ['id', 'state', 'startedAt', 'version'], {
    school: 'school_id',
    dept: 'dept_id',
    user: 'started_by',
  }),
  // Read only through the run.
  procedureRunStep: table(ProcedureRunStep, ['id', 'at'], 'open'),
  programPackage: table(ProgramPackage, ['id', 'createdAt'], 'open'),
  rollout: table(Rollout, [...editedFilled, 'state', 'ring'], 'open'),
  // Read only together with the device.
  rolloutDevice: table(RolloutDevice, ['id', 'state', 'attempts', 'rollbackAttempts', 'changedAt'], 'open'),
  unknownDevice: table(UnknownDevice, ['id', 'count', 'firstAt', 'lastAt'], 'open'),
}
