import { Id, Millis } from '@tocsin/contract/codecs'
import { Device, DeviceLogEntry, DeviceState, UnknownDevice } from '@tocsin/contract/device/device'
import { DeviceCommand } from '@tocsin/contract/device/command'
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
  deviceLog: table(DeviceLogEntry.omit({ userName: true }), ['id', 'at'], 'open'),
  // Reached through the device, which has the visibility.
  deviceCommand: table(DeviceCommand, ['id', 'payload', 'state', 'createdAt'], 'open'),
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
    }),
    ['id', 'createdAt'],
    'open',
  ),
  schoolDevice: table(SchoolDevice, [...editedFilled, 'cameraIds', 'silent', 'status', 'validFrom'], {
    school: 'school_id',
  }),
  deviceState: table(DeviceState, ['connectivity', 'since', 'changeCount', 'flapping'], 'open'),
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
  unknownDevice: table(UnknownDevice, ['id', 'count', 'firstAt', 'lastAt'], 'open'),
}
