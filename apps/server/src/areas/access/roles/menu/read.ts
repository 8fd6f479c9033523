import { codes } from '@tocsin/contract/codes'
import { type MenuQuery, MenuRow } from '@tocsin/contract/access/rights/menu'
import { z } from 'zod'
import type { Db } from '#db/db'
import { likePattern } from '#db/keyword-search'
import { BusinessError } from '#http/business-error'

const columns = [
  'id',
  'parentId',
  'type',
  'name',
  'nameEn',
  'permission',
  'path',
  'component',
  'componentName',
  'redirect',
  'icon',
  'sort',
  'enabled as status',
  'visible',
  'keepAlive',
  'alwaysShow',
  'createTime',
  'version',
] as const

/**
 * All matches, flat and in order; the screen draws the tree and shows an entry with an unknown parent at the top level.
 */
export const menuList = (db: Db, { name, status }: MenuQuery): Promise<MenuRow[]> =>
  db
    .selectFrom('menu')
    .select(columns)
    .$if(!!name, (q) =>
      q.where((eb) =>
        eb.or([eb('name', 'ilike', likePattern(name ?? '')), eb('nameEn', 'ilike', likePattern(name ?? ''))]),
      ),
    )
    .$if(status !== undefined, (q) => q.where('enabled', '=', status ?? true))
    .orderBy('sort')
    .orderBy('id')
    .execute()

export const getMenu = async (db: Db, id: number): Promise<MenuRow> => {
  const row = await db.selectFrom('menu').select(columns).where('id', '=', id).executeTakeFirst()
  if (!row) throw new BusinessError(codes.menuMissing)
  return row
}

/** The row in the wire form, for an edit of a stale version. */
export const currentMenu = async (db: Db, id: number): Promise<unknown> => z.encode(MenuRow, await getMenu(db, id))

/** Entries that are enabled together with all their ancestors, in order. */
export const listEnabledMenus = (db: Db) =>
  db
    .withRecursive('live', (qb) =>
      qb
        .selectFrom('menu')
        .select(['id', 'name', 'nameEn', 'parentId', 'type', 'sort'])
        .where('parentId', 'is', null)
        .where('enabled', '=', true)
        .union((below) =>
          below
            .selectFrom('menu')
            .innerJoin('live', 'live.id', 'menu.parentId')
            .select(['menu.id', 'menu.name', 'menu.nameEn', 'menu.parentId', 'menu.type', 'menu.sort'])
            .where('menu.enabled', '=', true),
        ),
    )
    .selectFrom('live')
    .select(['id', 'name', 'nameEn', 'parentId', 'type'])
    .orderBy('sort')
    .orderBy('id')
    .execute()
