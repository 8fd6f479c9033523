import type { MaintenanceFigures } from '@tocsin/contract/device/maintenance'
import { sql } from 'kysely'
import type { Db } from '#db/db'
import { scoped } from '#db/scope'
import type { Actor } from '#http/route'

const recently = sql`now() - interval '30 days'`

export const getMaintenanceFigures = (db: Db, actor: Actor): Promise<MaintenanceFigures> =>
  scoped(db, actor)
    .selectFrom('maintenanceOrder')
    .select([
      sql<number>`(count(*) filter (where state not in ('VERIFIED', 'CANCELLED')))::int`.as('open'),
      sql<number>`(count(*) filter (
        where due_at < now() and state in ('OPEN', 'ASSIGNED', 'ON_SITE', 'REOPENED')))::int`.as('overdue'),
      sql<number>`(count(*) filter (where finished_at > ${recently}))::int`.as('finished'),
      sql<number | null>`round((avg(extract(epoch from finished_at - create_time) / 3600)
        filter (where finished_at > ${recently}))::numeric, 1)::float8`.as('repairHours'),
      sql<number>`(count(*) filter (where reopen_count > 0 and update_time > ${recently}))::int`.as('reopened'),
    ])
    .executeTakeFirstOrThrow()
