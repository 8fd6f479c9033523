import { codes } from '@tocsin/contract/codes'
import { CATEGORY_DICT } from '@tocsin/contract/police/situation'
import { situations } from '@tocsin/contract/police/situations'
import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { auditDetailRead } from '#areas/audit/access-audit'
import { CAP_SENDER, capIdentifier, type CapState } from '#areas/alarm/cap/cap-document'
import type { Db } from '#db/db'
import { scoped, unscoped } from '#db/scope'
import { BusinessError } from '#http/business-error'
import type { Caller, FileResponse } from '#http/route'
import { formatSituationCap } from './situation-cap.ts'

const loadMore = async (
  db: Db,
  {
    warnRecordId,
    stationDeptId,
    category,
  }: Record<'warnRecordId' | 'stationDeptId', number | null> & { category: string | null },
) => {
  const all = unscoped(db, 'what belongs to an incident in sight')
  const [record, station, word] = await Promise.all([
    all.selectFrom('warnRecord').select(['no', 'validation']).where('id', '=', warnRecordId).executeTakeFirst(),
    all
      .selectFrom('dept')
      .leftJoin('policeStation', 'policeStation.deptId', 'dept.id')
      .select(['dept.name', 'policeStation.dutyPhone'])
      .where('dept.id', '=', stationDeptId)
      .executeTakeFirst(),
    db
      .selectFrom('dictData')
      .select('label')
      .where('dictType', '=', CATEGORY_DICT)
      .where('value', '=', category)
      .executeTakeFirst(),
  ])
  return {
    recordNo: record?.no ?? null,
    validation: record?.validation ?? null,
    stationName: station?.name ?? null,
    stationPhone: station?.dutyPhone ?? null,
    categoryLabel: word?.label ?? category ?? '警单',
  }
}

/** Each entry of the timeline is one state, so a step of a unit has an identifier of its own. */
const listStates = async (db: Db, situationId: number): Promise<CapState[]> => {
  const entries = await db
    .selectFrom('policeSituationLog')
    .select(['id', 'at'])
    .where('situationId', '=', situationId)
    .orderBy('id')
    .execute()
  return entries.map(({ id, at }) => ({ no: id, at }))
}

/** An answer to the exported message then finds the incident. The same state exported again is the same message. */
const recordExport = async (
  db: Db,
  { id, no }: { id: number; no: string },
  { state, xml }: { state: CapState | undefined; xml: string },
): Promise<void> => {
  if (!state) return
  await db
    .insertInto('exchangeMessage')
    .values({
      direction: 'OUT',
      format: 'CAP',
      sender: CAP_SENDER,
      identifier: capIdentifier(no, state),
      type: 'UPDATE',
      sentAt: state.at,
      digest: createHash('sha256').update(xml).digest('hex'),
      situationId: id,
      state: 'EXPORTED',
    })
    .onConflict((conflict) => conflict.constraint('exchange_message_key').doNothing())
    .execute()
}

/** One incident for another system. It names no reporter. */
export const exportCap = async (db: Db, caller: Caller, id: number): Promise<FileResponse> => {
  const row = await scoped(db, caller.actor)
    .selectFrom('policeSituation')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row) throw new BusinessError(codes.notFound, { what: '警单' })
  const states = await listStates(db, id)
  const xml = formatSituationCap({ ...row, states, ...(await loadMore(db, row)) })
  await recordExport(db, row, { state: states.at(-1), xml })
  await auditDetailRead(db, caller, { of: situations.cap, subject: 'police_situation', filter: { id }, ids: [id] })
  return { name: `${row.no}.cap.xml`, type: 'application/cap+xml; charset=utf-8', stream: Readable.from([xml]) }
}
