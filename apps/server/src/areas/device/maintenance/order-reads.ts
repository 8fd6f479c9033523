import { codes } from '@tocsin/contract/codes'
import type { AssigneeQuery, MaintenanceAssignee } from '@tocsin/contract/device/maintenance-calls'
import { maintenanceOrders } from '@tocsin/contract/device/maintenance-calls'
import { maintenanceLabel } from '@tocsin/contract/device/maintenance-labels'
import { MAINTENANCE_WORK, maintenanceStates } from '@tocsin/contract/device/maintenance-machine'
import {
  type MaintenanceDetail,
  maintenancePriorities,
  type MaintenanceQuery,
  MaintenanceRow,
} from '@tocsin/contract/device/maintenance'
import { sql } from 'kysely'
import type { Exporter, ExportOptions, RowsQuery } from '#areas/audit/exporter'
import { listAttachments } from '#areas/files/attachment'
import type { AllTablesDb, Db, UnscopedDb } from '#db/db'
import { likePattern } from '#db/keyword-search'
import { countCapped } from '#db/page'
import { scoped, unscoped } from '#db/scope'
import { byWord, type ListOrder, toOrderBy } from '#db/sort'
import { BusinessError } from '#http/business-error'
import type { Actor } from '#http/route'
import { toOffsetLimit } from '#http/time-window'
import { sheetColumn } from '#spreadsheet/column'

/** The owner type of attachments of log entries; they are as visible as the order. */
export const LOG_OWNER = 'maintenance_log'

const withNames = (db: AllTablesDb) =>
  unscoped(db, 'names on orders that were read within the visibility of the caller')

const isOverdue = sql<boolean>`(
  maintenance_order.due_at < now() and maintenance_order.state in ('OPEN', 'ASSIGNED', 'ON_SITE', 'REOPENED'))`

const repairHours = sql<number | null>`
  round((extract(epoch from maintenance_order.finished_at - maintenance_order.create_time) / 3600)::numeric, 1)::float8`

const nameOf = (_all: UnscopedDb, column: string) =>
  sql<string | null>`(select nickname from users where users.id = ${sql.ref(`maintenance_order.${column}`)})`
const snOf = (_all: UnscopedDb) => sql<string>`(select sn from device where device.id = maintenance_order.device_id)`
const modelOf = (_all: UnscopedDb) => sql<string>`(
  select model.name from device join device_model model on model.id = device.model_id
  where device.id = maintenance_order.device_id)`
const schoolOf = (_all: UnscopedDb) =>
  sql<string | null>`(select name from school where school.id = maintenance_order.school_id)`

const districtOf = (_all: UnscopedDb) => sql<string | null>`(
  select district.name from school join dept own on own.id = school.dept_id join dept district on district.id = own.parent_id
  where school.id = maintenance_order.school_id)`

const findOrders = (db: Db, actor: Actor, query: Partial<MaintenanceQuery>) => {
  const { keyword, schoolId, deviceId, state, cause, priority, mine, overdue, route } = query
  const text = likePattern(keyword ?? '')
  const all = withNames(scoped(db, actor))
  return scoped(db, actor)
    .selectFrom('maintenanceOrder')
    .$if(!!keyword, (q) => q.where(sql<boolean>`(maintenance_order.no ilike ${text} or ${snOf(all)} ilike ${text})`))
    .$if(schoolId !== undefined, (q) => q.where('maintenanceOrder.schoolId', '=', schoolId ?? 0))
    .$if(deviceId !== undefined, (q) => q.where('maintenanceOrder.deviceId', '=', deviceId ?? 0))
    .$if(!!state?.length, (q) => q.where('maintenanceOrder.state', 'in', state ?? []))
    .$if(!!cause?.length, (q) => q.where('maintenanceOrder.cause', 'in', cause ?? []))
    .$if(!!priority?.length, (q) => q.where('maintenanceOrder.priority', 'in', priority ?? []))
    .$if(mine !== undefined, (q) =>
      q.where('maintenanceOrder.assigneeId', mine ? '=' : 'is distinct from', actor.userId),
    )
    .$if(route === true, (q) => q.where('maintenanceOrder.state', 'not in', ['DONE', 'VERIFIED', 'CANCELLED']))
    .$if(overdue !== undefined, (q) => q.where(isOverdue, '=', overdue ?? true))
}

/** Orders with work left come first, by due date. */
const order: ListOrder<MaintenanceQuery> = {
  columns: {
    no: { by: sql`maintenance_order.no` },
    priority: { by: byWord(sql`maintenance_order.priority`, maintenancePriorities) },
    state: { by: byWord(sql`maintenance_order.state`, maintenanceStates) },
    schoolName: { by: sql`school_name` },
    dueAt: { by: sql`maintenance_order.due_at` },
    createTime: { by: sql`maintenance_order.create_time` },
  },
  usual: sql`(maintenance_order.state in ('VERIFIED', 'CANCELLED')), maintenance_order.due_at, maintenance_order.id`,
  id: sql`maintenance_order.id`,
}

type Ordered = Pick<MaintenanceQuery, 'route' | 'orderBy'>

const selectOrder = (all: UnscopedDb, found: ReturnType<typeof findOrders>, { route, orderBy }: Ordered = {}) =>
  found
    .selectAll('maintenanceOrder')
    .select([
      snOf(all).as('sn'),
      modelOf(all).as('modelName'),
      schoolOf(all).as('schoolName'),
      districtOf(all).as('districtName'),
      nameOf(all, 'assignee_id').as('assigneeName'),
      nameOf(all, 'finished_by').as('finishedByName'),
      nameOf(all, 'verified_by').as('verifiedByName'),
      repairHours.as('repairHours'),
      isOverdue.as('overdue'),
    ])
    .$if(route === true && orderBy === undefined, (q) =>
      q.orderBy(districtOf(all)).orderBy(schoolOf(all)).orderBy('maintenanceOrder.placePath'),
    )
    .orderBy(toOrderBy(orderBy, order))

export const pageOrders = async (db: Db, actor: Actor, query: MaintenanceQuery) => {
  const { limit, offset } = toOffsetLimit(query)
  const found = findOrders(db, actor, query)
  const [list, total] = await Promise.all([
    selectOrder(withNames(scoped(db, actor)), found, query)
      .limit(limit)
      .offset(offset)
      .execute(),
    countCapped(db, found.select('maintenanceOrder.id')),
  ])
  return { list, ...total }
}

export const getOrder = async (db: Db, actor: Actor, id: number): Promise<MaintenanceDetail> => {
  const all = withNames(scoped(db, actor))
  const found = findOrders(db, actor, {}).where('maintenanceOrder.id', '=', id)
  const order = await selectOrder(all, found).executeTakeFirst()
  if (!order) throw new BusinessError(codes.notFound, { what: '维修工单' })
  const entries = await all
    .selectFrom('maintenanceLog')
    .leftJoin('users', 'users.id', 'maintenanceLog.userId')
    .selectAll('maintenanceLog')
    .select(['users.nickname as userName', 'users.username as userAccount'])
    .where('maintenanceLog.orderId', '=', id)
    .orderBy('maintenanceLog.id', 'desc')
    .execute()
  const attached = await listAttachments(
    db,
    actor,
    LOG_OWNER,
    entries.map((entry) => entry.id),
  )
  return { ...order, log: entries.map((entry) => ({ ...entry, attachments: attached(entry.id) })) }
}

/** More people than a select can offer. */
const MAX_ASSIGNEES = 200

/** Visible users with the permission to do the work, and the user who asks. */
const findAssignees = (db: Db, actor: Actor) => {
  const canWork = (_all: UnscopedDb) => sql<boolean>`exists (
    with recursive live_menu as (
      select id, permission from menu where parent_id is null and enabled
      union select m.id, m.permission from menu m join live_menu p on m.parent_id = p.id where m.enabled
    )
    select from user_role ur join role ro on ro.id = ur.role_id
    join role_menu rm on rm.role_id = ro.id join live_menu m on m.id = rm.menu_id
    where ur.user_id = users.id and ro.enabled and m.permission = ${MAINTENANCE_WORK})`
  const visible = scoped(db, actor)
  const all = withNames(visible)
  return visible
    .selectFrom('users')
    .innerJoin('dept', 'dept.id', 'users.deptId')
    .where('users.enabled', '=', true)
    .where((eb) => eb.or([eb(canWork(all), '=', true), eb('users.id', '=', actor.userId)]))
}

/** One of them, however many there are. */
export const findAssignee = (db: Db, actor: Actor, id: number): Promise<{ id: number; name: string } | undefined> =>
  findAssignees(db, actor).select(['users.id', 'users.nickname as name']).where('users.id', '=', id).executeTakeFirst()

/** Those with the fewest open orders first; more than the limit are found by their name. */
export const listAssignees = async (
  db: Db,
  actor: Actor,
  { keyword }: AssigneeQuery,
): Promise<MaintenanceAssignee[]> => {
  const openCount = (_all: UnscopedDb) => sql<number>`(
    select count(*)::int4 from maintenance_order o where o.assignee_id = users.id
    and o.state in ('ASSIGNED', 'ON_SITE', 'REOPENED'))`
  const all = withNames(scoped(db, actor))
  return findAssignees(db, actor)
    .select(['users.id', 'users.nickname as name', 'dept.name as deptName', openCount(all).as('open')])
    .$if(!!keyword, (q) => q.where('users.nickname', 'ilike', likePattern(keyword ?? '')))
    .orderBy(openCount(all))
    .orderBy('users.nickname')
    .orderBy('users.id')
    .limit(MAX_ASSIGNEES)
    .execute()
}

export const maintenanceExport: Exporter<MaintenanceQuery & ExportOptions, MaintenanceRow> = {
  endpoints: maintenanceOrders,
  subject: 'maintenance_order',
  name: '维修工单',
  nameEn: 'Maintenance orders',
  columns: async (_db, lang) => [
    sheetColumn(MaintenanceRow, 'no', { width: 20 }),
    sheetColumn(MaintenanceRow, 'priority', { cell: (value) => maintenanceLabel('maintenancePriority', value, lang) }),
    sheetColumn(MaintenanceRow, 'cause', { cell: (value) => maintenanceLabel('maintenanceCause', value, lang) }),
    sheetColumn(MaintenanceRow, 'sn', { width: 22 }),
    sheetColumn(MaintenanceRow, 'districtName', { width: 20 }),
    sheetColumn(MaintenanceRow, 'schoolName', { width: 24 }),
    sheetColumn(MaintenanceRow, 'placePath', { width: 30 }),
    sheetColumn(MaintenanceRow, 'assigneeName'),
    sheetColumn(MaintenanceRow, 'dueAt'),
    sheetColumn(MaintenanceRow, 'state', { cell: (value) => maintenanceLabel('maintenanceState', value, lang) }),
    sheetColumn(MaintenanceRow, 'description', { width: 30 }),
    sheetColumn(MaintenanceRow, 'result', { width: 30 }),
    sheetColumn(MaintenanceRow, 'parts', { width: 24 }),
    sheetColumn(MaintenanceRow, 'createTime'),
    sheetColumn(MaintenanceRow, 'finishedAt'),
    sheetColumn(MaintenanceRow, 'repairHours'),
    sheetColumn(MaintenanceRow, 'reopenCount'),
  ],
  rows: (db, actor, query) =>
    selectOrder(
      withNames(scoped(db, actor)),
      findOrders(db, actor, query),
      query,
    ) as unknown as RowsQuery<MaintenanceRow>,
}
