import type { WarnClass } from '@tocsin/contract/alarm-class'
import { alarmLabel } from '@tocsin/contract/alarm/alarm-labels'
import { warnRecords } from '@tocsin/contract/alarm/records'
import { codes } from '@tocsin/contract/codes'
import { type Selectable, sql } from 'kysely'
import { Readable } from 'node:stream'
import { auditDetailRead } from '#areas/audit/access-audit'
import type { Db } from '#db/db'
import { scoped, unscoped } from '#db/scope'
import type { AllTables } from '#db/tables'
import { BusinessError } from '#http/business-error'
import type { Actor, Caller, FileResponse } from '#http/route'
import { type CapState, formatCap } from './cap-document.ts'

const categories: Record<WarnClass, string> = {
  PANIC: 'Security',
  VOICE: 'Security',
  BULLY: 'Safety',
  INTRUSION: 'Security',
  MEDICAL: 'Health',
  FIRE: 'Fire',
  DEVICE_HEALTH: 'Infra',
  SECURITY_DUTY: 'Security',
}

/** A storm writes thousands of entries; a receiver holds the first message or one of the latest. */
const MAX_REFERENCES = 100

const listStates = (db: Db, actor: Actor, recordId: number): Promise<CapState[]> =>
  scoped(db, actor)
    .selectFrom('warnLog')
    .select(['no', 'at'])
    .where('recordId', '=', recordId)
    .where((eb) =>
      eb.or([
        eb('no', '=', 1),
        eb(
          'no',
          '>',
          sql<number>`(select max(l.no) - ${MAX_REFERENCES} from warn_log l where l.record_id = ${recordId})`,
        ),
      ]),
    )
    .orderBy('no')
    .execute()

const findSituationNo = async (db: Db, recordId: number): Promise<string | null> => {
  const situation = await unscoped(db, 'the number of the incident of an alarm in sight')
    .selectFrom('policeSituation')
    .select('no')
    .where('warnRecordId', '=', recordId)
    .executeTakeFirst()
  return situation?.no ?? null
}

type Shown = 'no' | 'class' | 'level' | 'mode' | 'state' | 'validation' | 'schoolName' | 'placePath' | 'lng' | 'lat'
export type RecordCapSource = Pick<Selectable<AllTables['warnRecord']>, Shown | 'firstAt' | 'mergedIntoId'> & {
  states: readonly CapState[]
  situationNo: string | null
}

/** It names no person. */
export const formatRecordCap = (record: RecordCapSource): string => {
  const { no, class: of, level, schoolName, placePath } = record
  const event = alarmLabel('warnClass', of, 'zh-cn')
  const areaName = [schoolName, placePath].filter(Boolean).join(' ')
  return formatCap({
    ...record,
    isWithdrawn: record.mergedIntoId !== null,
    incidents: [no, record.situationNo],
    category: categories[of],
    event,
    onset: record.firstAt,
    senderName: schoolName,
    description: [alarmLabel('level', level, 'zh-cn'), event, areaName].filter(Boolean).join(' '),
    contact: null,
    areaName,
  })
}

/** One alarm for another system. */
export const exportRecordCap = async (db: Db, caller: Caller, id: number): Promise<FileResponse> => {
  const record = await scoped(db, caller.actor)
    .selectFrom('warnRecord')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst()
  if (!record) throw new BusinessError(codes.notFound, { what: '警情' })
  const xml = formatRecordCap({
    ...record,
    states: await listStates(db, caller.actor, id),
    situationNo: await findSituationNo(db, id),
  })
  await auditDetailRead(db, caller, { of: warnRecords.cap, subject: 'warn_record', filter: { id }, ids: [id] })
  return { name: `${record.no}.cap.xml`, type: 'application/cap+xml; charset=utf-8', stream: Readable.from([xml]) }
}
