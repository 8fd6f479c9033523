import type { Insertable, Selectable } from 'kysely'
import { randomUUID } from 'node:crypto'
import { appendLog } from '#areas/alarm/record-log'
import type { Db } from '#db/db'
import { unscoped } from '#db/scope'
import type { AllTables } from '#db/tables'

type Record = Selectable<AllTables['warnRecord']>
/** The location at least; all other fields have the values of a panic button's record. */
export type RecordDraft = Partial<Insertable<AllTables['warnRecord']>> & { deptId: number }

/** Creates a record like the intake does, with the first entry of its log. */
export const makeRecord = async (db: Db, draft: RecordDraft): Promise<Record> => {
  const all = unscoped(db, 'seed data is made for nobody in particular')
  const at = draft.firstAt ?? new Date()
  const record = await all
    .insertInto('warnRecord')
    .values({
      no: `YJ${randomUUID().replaceAll('-', '').slice(0, 16)}`,
      class: 'PANIC',
      code: 'PANIC',
      level: 1,
      mode: 'LIVE',
      dedupKey: randomUUID(),
      firstAt: at,
      lastAt: at,
      receivedAt: at,
      ...draft,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  await appendLog(all, record.id, { kind: 'TRANSITION', verb: 'raise', actor: 'system', to: record.state })
  return record
}

/** Adds one press to a record; returns its eventId. */
export const makePress = async (db: Db, record: Record, deviceId: number): Promise<string> => {
  const eventId = randomUUID()
  await unscoped(db, 'seed data is made for nobody in particular')
    .insertInto('signal')
    .values({
      deviceId,
      eventId,
      kind: 'ALARM',
      code: record.code,
      mode: record.mode,
      occurredAt: record.lastAt,
      via: 'MQTT',
      schoolId: record.schoolId,
      deptId: record.deptId,
      recordId: record.id,
    })
    .execute()
  return eventId
}
