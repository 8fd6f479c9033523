import { Id, Millis } from '@tocsin/contract/codecs'
import { exchangeStates, exchangeTypes } from '@tocsin/contract/police/exchange'
import { Situation, SituationLog } from '@tocsin/contract/police/situation'
import { Station } from '@tocsin/contract/police/station'
import { Unit } from '@tocsin/contract/police/unit'
import { z } from 'zod'
import { editedFilled, table } from './table.ts'

export const policeTables = {
  policeStation: table(Station, [...editedFilled, 'arriveUrbanMin', 'arriveSuburbanMin'], { dept: 'dept_id' }),
  policeUnit: table(Unit, [...editedFilled, 'onDuty'], { dept: 'dept_id' }),
  policeUnitMember: table(z.strictObject({ unitId: Id, userId: Id }), [], 'open'),
  policeSituation: table(Situation, [...editedFilled, 'mode', 'state', 'receivedAt'], {
    school: 'school_id',
    dept: 'station_dept_id',
  }),
  exchangeMessage: table(
    z.strictObject({
      id: Id,
      direction: z.enum(['IN', 'OUT']),
      format: z.enum(['CAP', 'JSON']),
      sender: z.string(),
      identifier: z.string(),
      type: z.enum(exchangeTypes),
      sentAt: Millis,
      digest: z.string(),
      situationId: Id.nullable(),
      body: z.string().nullable(),
      state: z.enum(exchangeStates),
      attempts: z.int(),
      dueAt: Millis,
      leaseUntil: Millis.nullable(),
      answer: z.string().nullable(),
      createdAt: Millis,
    }),
    ['id', 'attempts', 'dueAt', 'createdAt'],
    'open',
  ),
  situationTrackView: table(z.strictObject({ situationId: Id, userId: Id, auditedAt: Millis }), [], 'open'),
  policeSituationLog: table(SituationLog, ['id', 'at', 'fileIds'], 'open'),
}
