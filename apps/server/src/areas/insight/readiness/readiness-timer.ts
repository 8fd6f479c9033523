import { deviceReasons, type ReadinessReason } from '@tocsin/contract/insight/readiness'
import { readinessText } from '@tocsin/contract/insight/readiness-labels'
import { sql } from 'kysely'
import { isInOutage } from '#areas/device/maintenance/auto-orders'
import { insertOrder } from '#areas/device/maintenance/create-order'
import type { Db } from '#db/db'
import { unscoped } from '#db/scope'
import type { TimerHandler } from '#timer/scheduler'
import { scheduleTimer } from '#timer/timer'
import { refreshChanged } from './refresh.ts'

/** Two steps for the installation; each schedules itself again. */
export const READINESS_TIMER = 'readiness'
const refresh = { kind: READINESS_TIMER, subjectId: 1, step: 'REFRESH', epoch: 1 }
const orders = { kind: READINESS_TIMER, subjectId: 2, step: 'ORDERS', epoch: 1 }
const EVERY_SEC = 2
/** A device is low for an hour before it gets an order. */
const ORDERS_SEC = 60
/** While changes or a sweep wait. */
const BUSY_SEC = 0.2
const FIRST_SEC = 10

/** A device that restarts or is moved gets no order. */
const LOW_BEFORE_ORDER = sql`interval '1 hour'`
const MAX_NEW = 200

type Candidate = { id: number; schoolId: number; deptId: number; score: number; reasons: ReadinessReason[] }

const describe = ({ score, reasons }: Candidate): string => {
  const texts = reasons
    .filter(({ code }) => deviceReasons.includes(code))
    .map(({ code, value, points }) => `−${points} ${readinessText(code, value, 'zh-cn')}`)
  return `就绪度 ${score}：${texts.join('；')}`.slice(0, 500)
}

/**
 * Opens an order for each device that stays below the limit for a reason that work on it can fix, unless an order of
 * any cause is open or one was opened since. @returns how many.
 */
export const openLowOrders = async (trx: Db): Promise<number> => {
  const all = unscoped(trx, 'the server looks for work by itself')
  const { rows } = await sql<Candidate>`
    select d.id, d.school_id, d.dept_id, r.score, r.reasons
    from device_readiness r join device d on d.id = r.device_id
    where r.low_since < now() - ${LOW_BEFORE_ORDER} and d.school_id is not null
      and exists (select from jsonb_to_recordset(r.reasons) as one(code text)
        where one.code = any(${[...deviceReasons]}::text[]))
      and not (${isInOutage(sql`d.id`)})
      and not exists (select from maintenance_order o where o.device_id = d.id
        and (o.state not in ('VERIFIED', 'CANCELLED') or o.cause = 'READINESS' and o.create_time >= r.low_since))
    order by r.score, d.id limit ${MAX_NEW}`.execute(all)
  let opened = 0
  for (const row of rows) {
    const device = { id: row.id, schoolId: row.schoolId, deptId: row.deptId }
    const draft = { device, cause: 'READINESS', priority: 'NORMAL', description: describe(row) } as const
    if (await insertOrder(trx, null, draft)) opened += 1
  }
  return opened
}

const refreshScores = async (trx: Db): Promise<void> => {
  const isBusy = await refreshChanged(trx, new Date())
  await scheduleTimer(trx, refresh, isBusy ? BUSY_SEC : EVERY_SEC)
}

const searchLow = async (trx: Db): Promise<void> => {
  await openLowOrders(trx)
  await scheduleTimer(trx, orders, ORDERS_SEC)
}

export const readinessTimerHandlers: Record<typeof READINESS_TIMER, TimerHandler> = {
  [READINESS_TIMER]: {
    most: 1,
    execute: async (trx, keys) => {
      for (const { step } of keys) await (step === orders.step ? searchLow(trx) : refreshScores(trx))
    },
  },
}

/** At every start; the nodes of an installation share the timers. */
export const seedReadinessTimer = async (db: Db): Promise<void> => {
  await scheduleTimer(db, refresh, FIRST_SEC)
  await scheduleTimer(db, orders, ORDERS_SEC)
}
