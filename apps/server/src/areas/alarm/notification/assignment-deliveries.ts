import { openAssignmentStates, RECEIPT_SEC, UNANSWERED_SEC } from '@tocsin/contract/alarm/assignment-machine'
import type { WarnClass } from '@tocsin/contract/alarm-class'
import { alarmLabel } from '@tocsin/contract/alarm/alarm-labels'
import type { DeliveryChannel } from '@tocsin/contract/notify/delivery'
import { assignmentChanged } from '#areas/alarm/assignment/assignment-hooks'
import { cancelDeliveries, planDeliveries } from '#areas/notify/plan'
import { findPolicy, personChannels } from '#areas/notify/policy/find-policy'
import { findTargetUsers } from '#areas/notify/targets'
import type { Db } from '#db/db'
import { unscoped } from '#db/scope'
import type { Row } from '#db/tables'
import { addHook } from '#db/transaction-hook'

type Assignment = Row<'assignment'>
/** The text about the alarm or incident; `link`: its page for desks. */
type Matter = {
  no: string
  level: number
  mode: string
  class: WarnClass | null
  place: string
  kind: string
  link: string
}

/** The page of assignees. */
const TASKS = '/m/tasks'

const all = (trx: Db) => unscoped(trx, 'whoever is sent is told where to, whatever he sees')
const join = (...parts: (string | null)[]): string => parts.filter(Boolean).join(' ')

const ofRecord = async (trx: Db, recordId: number): Promise<Matter> => {
  const row = await all(trx)
    .selectFrom('warnRecord')
    .select(['no', 'level', 'mode', 'class', 'schoolName', 'placePath'])
    .where('id', '=', recordId)
    .executeTakeFirstOrThrow()
  const kind = alarmLabel('warnClass', row.class, 'zh-cn')
  return { ...row, kind, place: join(row.schoolName, row.placePath), link: `/warn/record?record=${recordId}` }
}

const ofSituation = async (trx: Db, situationId: number): Promise<Matter> => {
  const row = await all(trx)
    .selectFrom('policeSituation as situation')
    .leftJoin('warnRecord as record', 'record.id', 'situation.warnRecordId')
    .select(['situation.no', 'situation.grade as level', 'situation.mode', 'situation.schoolName', 'situation.place'])
    .select('record.class')
    .where('situation.id', '=', situationId)
    .executeTakeFirstOrThrow()
  const link = `/police/situation/detail/${situationId}`
  return { ...row, kind: '警单', place: join(row.schoolName, row.place), link }
}

const matterOf = (trx: Db, { recordId, situationId }: Assignment): Promise<Matter | undefined> => {
  if (recordId !== null) return ofRecord(trx, recordId)
  return situationId === null ? Promise.resolve(undefined) : ofSituation(trx, situationId)
}

/** The assigned person, or every member of the assigned unit. */
const peopleOf = async (trx: Db, { responderUserId, unitId }: Assignment): Promise<number[]> => {
  if (unitId === null) return responderUserId === null ? [] : [responderUserId]
  const members = await all(trx)
    .selectFrom('policeUnitMember')
    .select('userId')
    .where('unitId', '=', unitId)
    .orderBy('userId')
    .execute()
  return members.map(({ userId }) => userId)
}

const policyOf = (trx: Db, { level, class: of }: Matter, { schoolId, deptId }: Assignment) =>
  findPolicy(trx, { level, class: of, schoolId, deptId })

/** A drill is shown in the console only, and sends no telephone messages. */
const allowed = ({ mode }: Matter, channels: DeliveryChannel[]): DeliveryChannel[] =>
  mode === 'LIVE' ? channels : ['INAPP']

const markOf = ({ mode }: Matter): string => (mode === 'DRILL' ? '【演练】' : '')

const tell = async (trx: Db, assignment: Assignment): Promise<void> => {
  const [matter, userIds] = [await matterOf(trx, assignment), await peopleOf(trx, assignment)]
  if (!matter || userIds.length === 0) return
  const { no, level, place, kind } = matter
  await planDeliveries(trx, {
    subject: { type: 'ASSIGNMENT', id: assignment.id },
    schoolId: assignment.schoolId,
    deptId: assignment.deptId,
    level,
    title: `${markOf(matter)}新任务 ${alarmLabel('level', level, 'zh-cn')} ${kind}`,
    body: `${join(place, no)}，请签收并前往`,
    link: TASKS,
    userIds,
    channels: allowed(matter, personChannels(await policyOf(trx, matter, assignment))),
    key: `assignment.${assignment.id}`,
  })
}

/** Users who can send another person: the sender, and the leads of the place. */
const findLeads = async (trx: Db, { byUserId, situationId, schoolId, deptId }: Assignment): Promise<number[]> => {
  const roleCode = situationId === null ? 'shift_lead' : 'station_desk'
  const leads = await findTargetUsers(trx, [{ kind: 'ROLE', roleCode }], { schoolId, deptId })
  return byUserId === null ? leads : [byUserId, ...leads]
}

const tellLeads = async (trx: Db, assignment: Assignment): Promise<void> => {
  const matter = await matterOf(trx, assignment)
  if (!matter) return
  const { no, level, place, kind } = matter
  const { id, schoolId, deptId, responderName } = assignment
  await planDeliveries(trx, {
    subject: { type: 'ASSIGNMENT', id },
    schoolId,
    deptId,
    level,
    title: `${markOf(matter)}${responderName} ${RECEIPT_SEC} 秒未签收`,
    body: `${kind} ${join(place, no)}，请联系或另派`,
    link: matter.link,
    userIds: await findLeads(trx, assignment),
    channels: ['INAPP'],
    key: `assignment.${id}.lead`,
  })
}

/** An assignee who cannot go: the leads send another person. */
const tellDeclined = async (trx: Db, assignment: Assignment): Promise<void> => {
  const matter = await matterOf(trx, assignment)
  if (!matter) return
  const { no, level, place, kind, link } = matter
  const { id, schoolId, deptId, responderName, declineReason } = assignment
  await planDeliveries(trx, {
    subject: { type: 'ASSIGNMENT', id },
    schoolId,
    deptId,
    level,
    title: `${markOf(matter)}${responderName} 不能前往`,
    body: [`${kind} ${join(place, no)}，请另派`, declineReason].filter(Boolean).join('：'),
    link,
    userIds: await findLeads(trx, assignment),
    channels: ['INAPP'],
    key: `assignment.${id}.declined`,
  })
}

/** Nobody goes: the last resort of the policy, by its channels. `cause` follows the name of the assignee. */
const tellLastResort = async (trx: Db, assignment: Assignment, cause: string): Promise<void> => {
  const matter = await matterOf(trx, assignment)
  if (!matter) return
  const { no, level, place, kind } = matter
  const { id, situationId, schoolId, deptId, responderName, version } = assignment
  const { fallback } = await policyOf(trx, matter, assignment)
  const named = await findTargetUsers(trx, fallback.targets, { schoolId, deptId })
  // The policy of a school names people of the school; a station answers for its own units.
  const leads = situationId !== null || named.length === 0 ? await findLeads(trx, assignment) : []
  await planDeliveries(trx, {
    subject: { type: 'ASSIGNMENT', id },
    schoolId,
    deptId,
    level,
    step: 1,
    title: `${markOf(matter)}${responderName} ${cause}，无人前往`,
    body: `${kind} ${join(place, no)}，请立即另派`,
    link: matter.link,
    userIds: [...new Set([...named, ...leads])],
    channels: allowed(matter, fallback.channels),
    key: `assignment.${id}.last.${version}`,
  })
}

/** Nobody else of the same alarm or incident is on the way or may still answer in time. */
const isLast = async (trx: Db, { id, recordId, situationId }: Assignment): Promise<boolean> => {
  const other = await all(trx)
    .selectFrom('assignment')
    .select('id')
    .where((eb) => (recordId === null ? eb('situationId', '=', situationId) : eb('recordId', '=', recordId)))
    .where('id', '!=', id)
    .where('state', 'in', openAssignmentStates)
    .executeTakeFirst()
  return other === undefined
}

/** After two minutes no timer watches an answered assignment, so its loss reaches the last resort at once. */
const tellLateLoss = async (trx: Db, assignment: Assignment, cause: string): Promise<void> => {
  const { assignedAt, endedAt } = assignment
  if (endedAt === null || endedAt.getTime() - assignedAt.getTime() < UNANSWERED_SEC * 1000) return
  if (await isLast(trx, assignment)) await tellLastResort(trx, assignment, cause)
}

/** An assignee on the scene needs more people: repeated until the alarm or the incident is over. */
const tellSupport = async (trx: Db, assignment: Assignment, note: string | null): Promise<void> => {
  const matter = await matterOf(trx, assignment)
  if (!matter) return
  const { id, recordId, situationId, schoolId, deptId, responderName, version } = assignment
  const { no, level, place, kind, link } = matter
  await planDeliveries(trx, {
    subject: recordId === null ? { type: 'SITUATION', id: situationId ?? 0 } : { type: 'RECORD', id: recordId },
    schoolId,
    deptId,
    level,
    title: `${markOf(matter)}${responderName} 请求增援`,
    body: [`${kind} ${join(place, no)}`, note].filter(Boolean).join('，'),
    link,
    userIds: await findLeads(trx, assignment),
    channels: ['INAPP'],
    key: `assignment.${id}.support.${version}`,
  })
}

const isWaiting = (state: string): boolean => state === 'ASSIGNED' || state === 'TIMED_OUT'

const isOpen = (state: string): boolean => openAssignmentStates.some((open) => open === state)

/**
 * Notifies assignees with the assignment, and the leads when no receipt comes or more people are needed. A receipt or
 * the end cancels planned messages.
 */
export const tellResponders = addHook(
  assignmentChanged,
  async (trx, { assignment, before, verb, userId, said = null }) => {
    if (before === null) return tell(trx, assignment)
    if (verb === 'noReceipt') return tellLeads(trx, assignment)
    if (verb === 'unanswered') return tellLastResort(trx, assignment, `${UNANSWERED_SEC} 秒未签收`)
    if (verb === 'support') return tellSupport(trx, assignment, said?.note ?? null)
    if (isWaiting(before) && !isWaiting(assignment.state)) {
      const repliedBy = userId === null ? {} : { repliedBy: userId }
      const reason = isOpen(assignment.state) ? 'RECEIVED' : 'ENDED'
      await cancelDeliveries(trx, { type: 'ASSIGNMENT', id: assignment.id }, reason, repliedBy)
    }
    if (verb === 'decline') await tellDeclined(trx, assignment)
    if (verb === 'decline') await tellLateLoss(trx, assignment, '不能前往')
    if (verb === 'recall' || verb === 'withdraw') await tellLateLoss(trx, assignment, '被撤回')
  },
)
