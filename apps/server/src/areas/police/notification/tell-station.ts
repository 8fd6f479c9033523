import { alarmLabel } from '@tocsin/contract/alarm/alarm-labels'
import { lookupLabel } from '@tocsin/contract/field'
import { policeLabels } from '@tocsin/contract/police/police-labels'
import { openSituationStates, situationRule } from '@tocsin/contract/police/situation-machine'
import { sql } from 'kysely'
import { selectPermissionHolders } from '#areas/access/roles/dept/permission-holders'
import { cancelDeliveries, planDeliveries } from '#areas/notify/plan'
import type { Db } from '#db/db'
import { emitEvents } from '#db/event'
import { unscoped } from '#db/scope'
import { addHook } from '#db/transaction-hook'
import { type SituationLogged, situationLogged } from '../situation-hooks.ts'
import type { StoredSituation } from '../situation/situation-rows.ts'

/** Entries of the timeline with which an incident comes to a station, and how the message begins. */
const arrivals: Readonly<Record<string, string>> = {
  create: '新警单',
  escalated: '新警单',
  cadAlarm: '新警单',
  transferred: '移交来的警单',
  again: '再次报来的警单',
}

const getSituation = (trx: Db, id: number): Promise<StoredSituation> =>
  unscoped(trx, 'whoever may handle an incident is told of it')
    .selectFrom('policeSituation')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow()

/**
 * People of the station who may claim; without any, and when the station leaves it unclaimed, the command centre and
 * whoever else may claim and sees it.
 */
const findHandlers = async (
  trx: Db,
  { schoolId, stationDeptId }: Pick<StoredSituation, 'schoolId' | 'stationDeptId'>,
  isForEverybody = false,
): Promise<number[]> => {
  const { permission } = situationRule('claim')
  const all = unscoped(trx, 'a message reaches whoever may work on its matter')
  const at = { schoolId, deptId: stationDeptId }
  const { rows: holders } = await sql<{ id: number; isLocal: boolean }>`
    select id, is_local from ${selectPermissionHolders(all, { permission, at, withAdministrators: false })} as holder
    order by is_local desc, id limit 500`.execute(all)
  const local = holders.filter(({ isLocal }) => isLocal)
  return (isForEverybody || local.length === 0 ? holders : local).map(({ id }) => id)
}

const marks: Readonly<Record<StoredSituation['mode'], string>> = { LIVE: '', TEST: '【测试】', DRILL: '【演练】' }

/** An unclaimed incident is sounded and shown by the desk itself; another one needs a message there too. */
const linkOf = ({ id, ownerId }: StoredSituation): string =>
  ownerId === null ? `/police/desk?id=${id}` : `/police/situation/detail/${id}`

const tell = async (trx: Db, situation: StoredSituation, { logId, verb, actorId }: SituationLogged): Promise<void> => {
  const { id, no, grade, mode, schoolId, schoolName, place, stationDeptId, ownerId } = situation
  const handlers = await findHandlers(trx, situation)
  // Whoever entered the incident knows of it, and may be the only one at the station.
  const userIds = handlers.filter((userId) => userId !== actorId)
  if (userIds.length === 0 && handlers.length > 0) return
  await planDeliveries(trx, {
    subject: { type: 'SITUATION', id },
    schoolId,
    deptId: stationDeptId,
    level: grade,
    title: `${marks[mode]}${arrivals[verb]} ${alarmLabel('level', grade, 'zh-cn')}`,
    body: `${[schoolName, place, no].filter(Boolean).join(' ')}，${ownerId === null ? '请接警' : '请处置'}`,
    link: linkOf(situation),
    userIds,
    channels: ['INAPP'],
    key: `situation.${logId}`,
  })
}

const OVERDUE = 'overdue'

/** A limit passed (domain 2.9): whoever claimed the incident, and the station; unclaimed, the command centre as well. */
const tellOverdue = async (trx: Db, situation: StoredSituation, { logId, verb }: SituationLogged): Promise<void> => {
  const { id, no, grade, mode, schoolId, schoolName, place, stationDeptId, ownerId } = situation
  const step = verb.slice(OVERDUE.length)
  const handlers = await findHandlers(trx, situation, step === 'CLAIM')
  await planDeliveries(trx, {
    subject: { type: 'SITUATION', id },
    schoolId,
    deptId: stationDeptId,
    level: grade,
    title: `${marks[mode]}${lookupLabel(policeLabels.dueStep, step, 'zh-cn')}超时 ${alarmLabel('level', grade, 'zh-cn')}警单`,
    body: `${[schoolName, place, no].filter(Boolean).join(' ')}，请立即处置`,
    link: `/police/situation/detail/${id}`,
    userIds: [...handlers, ...(ownerId === null ? [] : [ownerId])],
    channels: ['INAPP'],
    key: `situation.${logId}`,
  })
}

/**
 * Tells the people of the responsible station of each incident that comes to them, in the transaction in which it does.
 * A claim or dispatch cancels the messages of the others.
 */
export const tellStation = addHook(situationLogged, async (trx, entry) => {
  const { situationId, verb, actorId } = entry
  if (verb === 'claim' || verb === 'dispatch') {
    const repliedBy = actorId === null ? {} : { repliedBy: actorId }
    return cancelDeliveries(trx, { type: 'SITUATION', id: situationId }, 'CLAIMED', repliedBy)
  }
  if (verb.startsWith(OVERDUE)) return tellOverdue(trx, await getSituation(trx, situationId), entry)
  if (!Object.hasOwn(arrivals, verb)) return
  const situation = await getSituation(trx, situationId)
  // A merged incident is handed over again: the one that it was merged into has an entry of its own.
  if (!openSituationStates.some((state) => state === situation.state)) return
  await tell(trx, situation, entry)
  const { schoolId, stationDeptId } = situation
  if (verb === 'again')
    await emitEvents(trx, { type: 'situation.again', ref: situationId, schoolId, deptId: stationDeptId })
})
