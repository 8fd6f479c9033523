import { codes } from '@tocsin/contract/codes'
import { orderVerbCalls } from '@tocsin/contract/supervise/order-calls'
import { SupervisionOrderDraft } from '@tocsin/contract/supervise/order'
import { openOrderStates } from '@tocsin/contract/supervise/order-machine'
import { sql } from 'kysely'
import type { z } from 'zod'
import { createStamp, fieldError } from '#areas/audit/edit-transaction'
import type { Db } from '#db/db'
import { BusinessError } from '#http/business-error'
import type { Caller } from '#http/route'
import { emitOrderChanged, nextOrderNo, ORDER_OWNER, runOrderVerb, saveParties, writeOrderLog } from './order-change.ts'
import { notifyOrder } from './order-notices.ts'
import { resolveResponsible } from './order-responsible.ts'
import type { StoredOrder } from './order-rows.ts'
import { cancelReminders, scheduleReminders } from './order-timers.ts'

type Body<K extends keyof typeof orderVerbCalls> = z.output<(typeof orderVerbCalls)[K]['body']>

const now = sql<Date>`now()` as unknown as Date

/** A clear error before the unique index rejects: which order is already open. */
const checkNoTwin = async (trx: Db, { id, kind, subjectType, subjectId }: StoredOrder): Promise<void> => {
  if (subjectId === null) return
  const twin = await trx
    .selectFrom('superviseOrder')
    .select('no')
    .where('kind', '=', kind)
    .where('subjectType', '=', subjectType)
    .where('subjectId', '=', subjectId)
    .where('state', 'in', [...openOrderStates])
    .where('id', '!=', id)
    .executeTakeFirst()
  if (twin) throw new BusinessError(codes.orderOpenTwin, { no: twin.no })
}

const notifyIssued = async (trx: Db, order: StoredOrder): Promise<void> => {
  await scheduleReminders(trx, order.id)
  await notifyOrder(trx, order, ['responsible'], { zh: '新的督办单', en: 'New supervision order' })
}

export const issueOrder = (db: Db, body: Body<'issue'>, caller: Caller): Promise<true> =>
  runOrderVerb(
    { db, who: caller, verb: 'issue', one: body },
    async ({ trx, order }) => {
      if (order.isPastDue) throw fieldError(SupervisionOrderDraft, 'dueAt', 'tooSmall', new Date())
      if (order.responsibleUserId === caller.actor.userId) throw new BusinessError(codes.orderIssuerResponsible)
      await checkNoTwin(trx, order)
      return { set: { issuerId: caller.actor.userId, issuedAt: now } }
    },
    async (trx, order): Promise<true> => {
      await notifyIssued(trx, order)
      return true
    },
  )

export const signOrder = (db: Db, body: Body<'sign'>, caller: Caller): Promise<true> =>
  runOrderVerb({ db, who: caller, verb: 'sign', one: body }, () => ({
    set: { signedBy: caller.actor.userId, signedAt: now },
  }))

export const reportProgress = (
  db: Db,
  { text, doneNodes = [], attachments, ...target }: Body<'progress'>,
  caller: Caller,
) =>
  runOrderVerb({ db, who: caller, verb: 'progress', one: target }, ({ order }) => {
    const doneAt = Date.now()
    if (doneNodes.some((at) => at >= order.nodes.length))
      throw fieldError(orderVerbCalls.progress.body, 'doneNodes', 'choice')
    const nodes = order.nodes.map((node, at) =>
      doneNodes.includes(at) ? { ...node, doneAt: node.doneAt ?? doneAt } : node,
    )
    return { set: { nodes }, text, attachments }
  })

export const submitOrder = (db: Db, { text, attachments, ...target }: Body<'submit'>, caller: Caller): Promise<true> =>
  runOrderVerb(
    { db, who: caller, verb: 'submit', one: target },
    () => ({ set: { submittedBy: caller.actor.userId, submittedAt: now }, text, attachments }),
    async (trx, order): Promise<true> => {
      await notifyOrder(trx, order, ['issuer'], { zh: '督办单待复核', en: 'Supervision order submitted' })
      return true
    },
  )

export const concludeOrder = (db: Db, { text, ...target }: Body<'conclude'>, caller: Caller): Promise<true> =>
  runOrderVerb(
    { db, who: caller, verb: 'conclude', one: target },
    () => ({ set: { concludedBy: caller.actor.userId, concludedAt: now }, text }),
    async (trx, order): Promise<true> => {
      await cancelReminders(trx, order.id)
      await notifyOrder(trx, order, ['responsible'], { zh: '督办单已办结', en: 'Supervision order concluded' })
      return true
    },
  )

export const returnOrder = (db: Db, { reason, ...target }: Body<'return'>, caller: Caller): Promise<true> =>
  runOrderVerb(
    { db, who: caller, verb: 'return', one: target },
    () => ({ text: reason }),
    async (trx, order): Promise<true> => {
      await scheduleReminders(trx, order.id)
      await notifyOrder(trx, order, ['responsible'], { zh: '督办单被退回', en: 'Supervision order sent back' })
      return true
    },
  )

export const evaluateOrder = (db: Db, { score, text, ...target }: Body<'evaluate'>, caller: Caller): Promise<true> =>
  runOrderVerb({ db, who: caller, verb: 'evaluate', one: target }, () => ({
    set: { evaluation: score },
    text: text ?? null,
  }))

export const requestExtension = (
  db: Db,
  { reason, newDueAt, text, ...target }: Body<'requestExtension'>,
  caller: Caller,
): Promise<true> =>
  runOrderVerb(
    { db, who: caller, verb: 'requestExtension', one: target },
    ({ order }) => {
      if (newDueAt <= order.dueAt)
        throw fieldError(orderVerbCalls.requestExtension.body, 'newDueAt', 'tooSmall', order.dueAt)
      return {
        set: {
          extensionState: 'REQUESTED',
          extensionTo: newDueAt,
          extensionReason: reason,
          extensionProgress: text,
        },
        text: reason,
      }
    },
    async (trx, order): Promise<true> => {
      await notifyOrder(trx, order, ['issuer'], { zh: '督办单申请延期', en: 'Extension of a supervision order asked' })
      return true
    },
  )

export const approveExtension = (db: Db, body: Body<'approveExtension'>, caller: Caller): Promise<true> =>
  runOrderVerb(
    { db, who: caller, verb: 'approveExtension', one: body },
    ({ order }) => ({
      set: {
        extensionState: 'APPROVED',
        extensionCount: order.extensionCount + 1,
        dueAt: order.extensionTo ?? order.dueAt,
      },
    }),
    async (trx, order): Promise<true> => {
      await scheduleReminders(trx, order.id)
      await notifyOrder(trx, order, ['responsible'], { zh: '督办单已同意延期', en: 'Extension granted' })
      return true
    },
  )

export const refuseExtension = (
  db: Db,
  { reason, ...target }: Body<'refuseExtension'>,
  caller: Caller,
): Promise<true> =>
  runOrderVerb(
    { db, who: caller, verb: 'refuseExtension', one: target },
    () => ({ set: { extensionState: 'REFUSED' }, text: reason }),
    async (trx, order): Promise<true> => {
      await notifyOrder(trx, order, ['responsible'], { zh: '督办单未同意延期', en: 'Extension refused' })
      return true
    },
  )

export const revokeOrder = (db: Db, { reason, ...target }: Body<'revoke'>, caller: Caller): Promise<true> =>
  runOrderVerb(
    { db, who: caller, verb: 'revoke', one: target },
    () => ({ text: reason }),
    async (trx, order): Promise<true> => {
      await cancelReminders(trx, order.id)
      await notifyOrder(trx, order, ['responsible'], { zh: '督办单已撤销', en: 'Supervision order revoked' })
      return true
    },
  )

type Transfer = Body<'transfer'>

/** The new department has until the given date, at first until the old one, and as long as the old one to receive it. */
const resolveDates = (ended: StoredOrder, given: Date | null | undefined) => {
  const dueAt = given ?? ended.dueAt
  const open = ended.nodes.flatMap((node) => (node.doneAt === null ? node.dueAt : []))
  const earliest = Math.max(Date.now(), ...open)
  if (dueAt.getTime() < earliest)
    throw fieldError(orderVerbCalls.transfer.body, 'dueAt', 'tooSmall', new Date(earliest))
  if (ended.signDueAt === null || ended.issuedAt === null) return { dueAt, signDueAt: null }
  const signDueAt = Date.now() + ended.signDueAt.getTime() - ended.issuedAt.getTime()
  return { dueAt, signDueAt: new Date(Math.min(signDueAt, dueAt.getTime())) }
}

/** The new department does not see the old order, so that the facts come with their pictures. */
const copyAttachments = async (trx: Db, fromId: number, toId: number): Promise<void> => {
  await sql`
    insert into attachment (owner_type, owner_id, file_id, kind, note, taken_at, created_by, created_at)
    select owner_type, ${toId}::bigint, file_id, kind, note, taken_at, created_by, created_at from attachment
    where owner_type = ${ORDER_OWNER} and owner_id = ${fromId} order by id`.execute(trx)
}

/** What continues: the text, the milestones and the assisting departments; extensions are counted anew. */
const insertNext = async (trx: Db, caller: Caller, ended: StoredOrder, body: Transfer): Promise<StoredOrder> => {
  const responsible = await resolveResponsible(trx, caller.actor, body)
  if (responsible.responsibleDeptId === ended.responsibleDeptId) throw new BusinessError(codes.orderSameParty)
  const { kind, subjectType, subjectId, subjectLabel, title, content, requirement, evidence } = ended
  const { issuerDeptId, assistDeptIds } = ended
  const next = await trx
    .insertInto('superviseOrder')
    .values({
      kind,
      subjectType,
      subjectId,
      subjectLabel,
      title,
      content,
      requirement,
      evidence,
      issuerDeptId,
      assistDeptIds,
      ...responsible,
      ...resolveDates(ended, body.dueAt),
      no: await nextOrderNo(trx),
      issuerId: caller.actor.userId,
      nodes: sql`${JSON.stringify(ended.nodes)}::jsonb`,
      state: 'ISSUED',
      issuedAt: now,
      transferredFrom: ended.id,
      ...createStamp(caller),
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  await copyAttachments(trx, ended.id, next.id)
  await saveParties(trx, next)
  return next
}

/** This order ends and continues as another one, issued to the new department at once. @returns its id. */
export const transferOrder = (db: Db, body: Transfer, caller: Caller): Promise<number> =>
  runOrderVerb<number>(
    { db, who: caller, verb: 'transfer', one: body },
    () => ({ text: body.reason }),
    async (trx, ended) => {
      await cancelReminders(trx, ended.id)
      await notifyOrder(trx, ended, ['responsible'], { zh: '督办单已转办', en: 'Supervision order passed on' })
      const next = await insertNext(trx, caller, ended, body)
      await writeOrderLog(trx, caller, next, { verb: 'issue', text: body.reason })
      await notifyIssued(trx, next)
      await emitOrderChanged(trx, next.id)
      return next.id
    },
  )
