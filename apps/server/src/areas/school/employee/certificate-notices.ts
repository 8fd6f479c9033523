import { CERT_WARNING_DAYS } from '@tocsin/contract/school/employee'
import { employees } from '@tocsin/contract/school/employee-calls'
import { type RawBuilder, sql } from 'kysely'
import { escapeHtml } from '#areas/files/export/job'
import { publishSystemNotice } from '#areas/notices/system-notice'
import type { Db, UnscopedDb } from '#db/db'
import { unscoped } from '#db/scope'
import type { TimerHandler } from '#timer/scheduler'
import { scheduleTimer } from '#timer/timer'

/** One timer for the installation; it schedules itself again. */
export const CERTIFICATE_TIMER = 'certificate'
const search = { kind: CERTIFICATE_TIMER, subjectId: 1, step: 'SEARCH', epoch: 1 }
const EVERY_SEC = 600
const FIRST_SEC = 30
/** While more people wait than one search reports. */
const BUSY_SEC = 1
const MAX_PEOPLE = 200

type Holder = { id: number; deptId: number; name: string; expiresOn: string; isExpired: boolean; userId: number | null }

/** The enabled accounts of an organization that may edit its people. */
const keepersOf = (deptId: RawBuilder<unknown>): RawBuilder<number> => sql`
  select distinct u.id from users u
  join user_role ur on ur.user_id = u.id
  join role r on r.id = ur.role_id and r.enabled
  join role_menu rm on rm.role_id = r.id
  join menu m on m.id = rm.menu_id and m.enabled and m.permission = ${employees.update.permission}
  where u.dept_id = ${deptId} and u.enabled`

const accountOf = (userId: RawBuilder<unknown>): RawBuilder<number> =>
  sql`select u.id from users u where u.id = ${userId} and u.enabled`

/**
 * Claims the certificates that nobody was told of. The key of the table decides between two nodes. While nobody can read
 * a notice, the certificate stays unclaimed, and the next search tries again.
 */
const claimHolders = async (all: UnscopedDb): Promise<Holder[]> => {
  const { rows } = await sql<Holder>`
    with due as (
      select e.id, e.cert_expires_on from employee e
      where e.status <> 'LEFT' and e.cert_expires_on <= current_date + ${CERT_WARNING_DAYS}::int
        and not exists (select from employee_cert_notice told
          where told.employee_id = e.id and told.expires_on = e.cert_expires_on)
        and (exists (${accountOf(sql`e.user_id`)}) or exists (${keepersOf(sql`e.dept_id`)}))
      order by e.cert_expires_on, e.id limit ${MAX_PEOPLE}
    ), claimed as (
      insert into employee_cert_notice (employee_id, expires_on) select id, cert_expires_on from due
      on conflict do nothing returning employee_id, expires_on
    )
    select e.id, e.dept_id, e.name, claimed.expires_on::text, claimed.expires_on < current_date as is_expired, e.user_id
    from claimed join employee e on e.id = claimed.employee_id
    order by e.dept_id, claimed.expires_on, e.id`.execute(all)
  return rows
}

const listIds = async (all: UnscopedDb, ids: RawBuilder<number>): Promise<number[]> => {
  const { rows } = await sql<{ id: number }>`${ids}`.execute(all)
  return rows.map(({ id }) => id)
}

const describe = ({ name, expiresOn, isExpired }: Holder): string =>
  `<p>${escapeHtml(name)} 的证件${isExpired ? '已于' : '将于'} ${expiresOn} 到期，到期后不能排班。请换证并更新到期日。</p>` +
  `<p>The certificate of ${escapeHtml(name)} ${isExpired ? 'expired' : 'expires'} on ${expiresOn}; ` +
  'no shifts after that. Renew it and enter the new date.</p>'

const publish = async (trx: Db, deptId: number, userIds: readonly number[], holders: readonly Holder[]) => {
  const [first] = holders
  if (!first || userIds.length === 0) return
  const title =
    holders.length === 1
      ? `证件${first.isExpired ? '已' : '即将'}到期：${first.name}`
      : `${holders.length} 人的证件即将到期或已到期`
  await publishSystemNotice(
    trx,
    { deptId },
    { title, content: holders.map(describe).join(''), publisherName: null, userIds },
  )
}

/** Tells each holder and, in one notice, the keepers of the organization. @returns the number of certificates. */
export const noticeCertificates = async (trx: Db): Promise<number> => {
  const all = unscoped(trx, 'the server warns by itself')
  const holders = await claimHolders(all)
  for (const [deptId, list] of Map.groupBy(holders, (holder) => holder.deptId)) {
    const keepers = await listIds(all, keepersOf(sql`${deptId}::bigint`))
    await publish(trx, deptId, keepers, list)
    for (const holder of list) {
      const account = await listIds(all, accountOf(sql`${holder.userId}::bigint`))
      await publish(
        trx,
        deptId,
        account.filter((id) => !keepers.includes(id)),
        [holder],
      )
    }
  }
  return holders.length
}

export const certificateTimerHandlers: Record<typeof CERTIFICATE_TIMER, TimerHandler> = {
  [CERTIFICATE_TIMER]: {
    most: 1,
    execute: async (trx) => {
      const count = await noticeCertificates(trx)
      await scheduleTimer(trx, search, count < MAX_PEOPLE ? EVERY_SEC : BUSY_SEC)
    },
  },
}

/** At every start; the nodes of an installation share the timer. */
export const seedCertificateTimer = (db: Db): Promise<void> => scheduleTimer(db, search, FIRST_SEC)
