import { codes } from '@tocsin/contract/codes'
import { type Page, toLimitOffset } from '@tocsin/contract/page'
import {
  DEMO_KIND,
  DemoItemDraft,
  type DemoItemEdit,
  type DemoItemNew,
  type DemoItemQuery,
  DemoItemRow,
} from '@tocsin/contract/demo/item'
import { type SqlBool, sql } from 'kysely'
import { z } from 'zod'
import type { Db } from '#db/db'
import { likePattern } from '#db/keyword-search'
import { countCapped } from '#db/page'
import { unscoped, scoped } from '#db/scope'
import { type ListOrder, toOrderBy } from '#db/sort'
import type { Row } from '#db/tables'
import { BusinessError } from '#http/business-error'
import type { Actor, Caller } from '#http/route'
import { writeAudit } from '#areas/audit/audit'
import { checkDictValues } from '#areas/audit/entity/dict-values'
import {
  createStamp,
  checkVersion,
  runEditForEach,
  changedColumns,
  toAuditState,
  updateStamp,
} from '#areas/audit/edit-transaction'
import { attachFiles } from '#areas/files/attachments'
import { optionalFileLink } from '#areas/files/file-store'
import { checkDept } from '#areas/access/roles/dept-choice'

type Kept = Row<'demoItem'>

const joined = (db: Db, actor: Actor) =>
  scoped(db, actor)
    .selectFrom('demoItem')
    .innerJoin('dept', 'dept.id', 'demoItem.deptId')
    .selectAll('demoItem')
    .select('dept.name as deptName')

const order: ListOrder<DemoItemQuery> = {
  columns: {
    name: { by: sql`demo_item.name` },
    price: { by: sql`demo_item.price`, nullable: true },
    progress: { by: sql`demo_item.progress` },
    sort: { by: sql`demo_item.sort` },
    startAt: { by: sql`demo_item.start_at`, nullable: true },
    createTime: { by: sql`demo_item.create_time` },
  },
  usual: sql`demo_item.sort, demo_item.id desc`,
  id: sql`demo_item.id`,
}

/** All visible rows of the filter, in the order of the list. */
export const itemRows = (db: Db, actor: Actor, query: DemoItemQuery) => {
  const { name, kind, tag, status, deptId, least, from, to } = query
  return joined(db, actor)
    .$if(!!name, (q) => q.where('demoItem.name', 'ilike', likePattern(name ?? '')))
    .$if(!!kind, (q) => q.where('demoItem.kind', '=', kind ?? ''))
    .$if(!!tag, (q) => q.where(sql<SqlBool>`demo_item.tags @> ${tag}::text[]`))
    .$if(status !== undefined, (q) => q.where('demoItem.enabled', '=', status ?? true))
    .$if(deptId !== undefined, (q) => q.where('demoItem.deptId', '=', deptId ?? 0))
    .$if(least !== undefined, (q) => q.where('demoItem.progress', '>=', least ?? 0))
    .$if(from !== undefined, (q) => q.where(sql<SqlBool>`demo_item.start_at >= ${from}`))
    .$if(to !== undefined, (q) => q.where(sql<SqlBool>`demo_item.start_at <= ${to}`))
    .orderBy(toOrderBy(query.orderBy, order))
}

export type Joined = Kept & { deptName: string }

export const shownTo =
  ({ userId }: Actor) =>
  ({ enabled, ...row }: Joined): DemoItemRow => ({
    ...row,
    status: enabled,
    imageUrl: optionalFileLink(row.imageId, userId),
  })

export const itemPage = async (db: Db, actor: Actor, query: DemoItemQuery): Promise<Page<DemoItemRow>> => {
  const { limit, offset } = toLimitOffset(query)
  const hits = itemRows(db, actor, query)
  const rows = await hits.limit(limit).offset(offset).execute()
  return { list: rows.map(shownTo(actor)), ...(await countCapped(db, hits.clearSelect().select('demoItem.id'))) }
}

const found = <T>(row: T | undefined): T => {
  if (!row) throw new BusinessError(codes.demoMissing)
  return row
}

export const getItem = async (db: Db, actor: Actor, id: number): Promise<DemoItemRow> =>
  shownTo(actor)(found(await joined(db, actor).where('demoItem.id', '=', id).executeTakeFirst()))

const locked = async (trx: Db, actor: Actor, id: number): Promise<Kept> =>
  found(await scoped(trx, actor).selectFrom('demoItem').selectAll().where('id', '=', id).forUpdate().executeTakeFirst())

const worded = { draft: DemoItemDraft, types: { kind: DEMO_KIND } }

const keepImage = (trx: Db, actor: Actor, subjectId: number, imageId: number | null): Promise<void> =>
  attachFiles(trx, actor, { draft: DemoItemDraft, subject: 'demoItem', subjectId }, [
    { field: 'imageId', ids: [imageId], pictures: true },
  ])

const tagsOf = (tags: readonly string[] | undefined) => (tags ? { tags: [...new Set(tags)] } : {})

type Change = { verb: string; id: number; before?: Kept; after?: Kept }

const recorded = (trx: Db, caller: Caller, { verb, id, before, after }: Change): Promise<void> =>
  writeAudit(trx, {
    ...caller,
    action: `demo:item:${verb}`,
    subject: 'demo_item',
    subjectId: id,
    before: before ? toAuditState(before) : null,
    after: after ? toAuditState(after) : null,
  })

export const insertItem = async (trx: Db, draft: DemoItemNew, caller: Caller): Promise<number> => {
  const { status, tags, imageId = null, deptId = caller.actor.deptId, ...columns } = draft
  await checkDictValues(trx, worded, draft)
  await checkDept(trx, caller.actor, deptId)
  const after = await unscoped(trx, 'an insert reads nothing; its department is in sight')
    .insertInto('demoItem')
    .values({
      ...changedColumns(columns),
      name: draft.name,
      kind: draft.kind,
      deptId,
      imageId,
      ...tagsOf(tags),
      ...(status !== undefined && { enabled: status }),
      ...createStamp(caller),
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  await keepImage(trx, caller.actor, after.id, imageId)
  await recorded(trx, caller, { verb: 'create', id: after.id, after })
  return after.id
}

export const createItem = (db: Db, draft: DemoItemNew, caller: Caller): Promise<number> =>
  db.transaction().execute((trx) => insertItem(trx, draft, caller))

export const updateItem = (db: Db, edit: DemoItemEdit, caller: Caller): Promise<true> =>
  db.transaction().execute(async (trx) => {
    const { id, version } = edit
    const { status, tags, ...columns } = changedColumns(edit)
    const before = await locked(trx, caller.actor, id)
    await checkVersion(version, before, async () => z.encode(DemoItemRow, await getItem(trx, caller.actor, id)))
    await checkDictValues(trx, worded, edit, before)
    if (columns.deptId !== undefined && columns.deptId !== before.deptId)
      await checkDept(trx, caller.actor, columns.deptId)
    if (columns.imageId !== undefined) await keepImage(trx, caller.actor, id, columns.imageId)
    const after = await unscoped(trx, 'locked in sight')
      .updateTable('demoItem')
      .set({ ...columns, ...tagsOf(tags), ...(status !== undefined && { enabled: status }), ...updateStamp(caller) })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow()
    await recorded(trx, caller, { verb: 'update', id, before, after })
    return true as const
  })

/** Rolls everything back when one row fails. */
export const deleteItems = (db: Db, ids: readonly number[], caller: Caller): Promise<true> =>
  runEditForEach(db, {
    ids,
    named: (id) =>
      scoped(db, caller.actor).selectFrom('demoItem').select('name').where('id', '=', id).executeTakeFirst(),
    work: async (trx, id) => {
      const before = await locked(trx, caller.actor, id)
      await keepImage(trx, caller.actor, id, null)
      await unscoped(trx, 'locked in sight').deleteFrom('demoItem').where('id', '=', id).execute()
      await recorded(trx, caller, { verb: 'delete', id, before })
    },
  })
