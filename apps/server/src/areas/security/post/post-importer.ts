import { codes } from '@tocsin/contract/codes'
import { dutyLabels } from '@tocsin/contract/security/duty-labels'
import { securityPosts } from '@tocsin/contract/security/post'
import { PostImportDraft, postImports, PostSheetRow, schoolPostTypes } from '@tocsin/contract/security/post-import'
import { foldName } from '@tocsin/contract/text'
import { sql } from 'kysely'
import { cellError } from '#areas/files/import/cell-errors'
import { type CellResult, createChoiceReader, createReferenceReader } from '#areas/files/import/cell-readers'
import { type EntityRules, type ExistingRow, openEntityCheck } from '#areas/files/import/entity-check'
import type { CheckContext, Importer } from '#areas/files/import/importer'
import { createRowWriter } from '#areas/files/import/row-writer'
import type { Db } from '#db/db'
import { scoped, unscoped } from '#db/scope'
import { BusinessError } from '#http/business-error'
import type { Actor, Caller } from '#http/route'
import { createMinuteReader, readEquipment, readWeekdays } from './post-cells.ts'
import { insertPost, updatePostIn } from './post-edit.ts'

const key = 'name'
const types = schoolPostTypes.map((type) => [type, dutyLabels.postType[type]] as const)

const loadSchools = (db: Db, actor: Actor) =>
  scoped(db, actor).selectFrom('school').select(['id', 'code', 'name', 'deptId']).execute()

type PlacePath = { id: number; schoolId: number; name: string; path: string }

const loadPlaces = async (db: Db, schoolIds: readonly number[]): Promise<PlacePath[]> => {
  if (schoolIds.length === 0) return []
  const { rows } = await sql<PlacePath>`
    with recursive tree as (
      select id, school_id, name, name::text as path from place
        where school_id = any(${[...new Set(schoolIds)]}::bigint[]) and parent_id is null
      union all
      select place.id, place.school_id, place.name, tree.path || '/' || place.name
        from place join tree on place.parent_id = tree.id
    )
    select * from tree`.execute(unscoped(db, 'the schools were found in the visibility of the importing user'))
  return rows
}

/** A path means one place; a name only when no other place of the school has it. */
const findPlace = (places: readonly PlacePath[], schoolId: number | undefined, text: string): CellResult => {
  const own = places.filter((place) => place.schoolId === schoolId)
  const errors = { missing: codes.importPlace, ambiguous: codes.importPlaceTwice }
  const byPath = createReferenceReader(
    own.map(({ id, path }) => ({ id, names: [path] })),
    errors,
  )(text.replaceAll(/\s*\/\s*/g, '/'))
  if ('value' in byPath) return byPath
  return createReferenceReader(
    own.map(({ id, name }) => ({ id, names: [name] })),
    errors,
  )(text)
}

const toKey = (schoolId: number, name: string) => `${schoolId} ${foldName(name)}`

type Existing = ExistingRow<PostImportDraft>

/** The posts of schools by school and name; several of one name stand for none. */
const loadPosts = async (db: Db, actor: Actor, schoolIds: readonly number[], places: readonly PlacePath[]) => {
  const pathOf = new Map(places.map(({ id, path }) => [id, path]))
  const posts = await scoped(db, actor)
    .selectFrom('securityPost')
    .selectAll()
    .where('schoolId', '=', sql<number>`any(${[...new Set(schoolIds)]})`)
    .orderBy('id')
    .execute()
  const found = new Map<string, Existing>()
  const repeated = new Set<number>()
  for (const { id, schoolId, placeId, type, equipment, ...post } of posts) {
    if (schoolId === null || type === 'SEAT') continue
    const place = placeId === null ? undefined : pathOf.get(placeId)
    // In the order of the contract: PostgreSQL stores the keys of an object in its own.
    const list = equipment.map(({ name, required, present }) => ({ name, required, present }))
    const of = toKey(schoolId, post.name)
    const first = found.get(of)
    if (first) repeated.add(first.id)
    else found.set(of, { id, values: { ...post, schoolId, type, place, equipment: list } })
  }
  return { found, repeated }
}

const openRules = async ({ db, who: { actor } }: CheckContext): Promise<EntityRules<PostImportDraft>> => {
  const schools = await loadSchools(db, actor)
  const own = schools.find(({ deptId }) => deptId === actor.deptId)
  const schoolOf = ({ schoolId }: Partial<PostImportDraft>) => schoolId ?? own?.id
  let batch: { places: PlacePath[]; repeated: ReadonlySet<number> } = { places: [], repeated: new Set() }
  const keyOf = (draft: Partial<PostImportDraft>) => {
    const schoolId = schoolOf(draft)
    return schoolId !== undefined && draft.name ? toKey(schoolId, draft.name) : undefined
  }
  return {
    columns: {
      type: { read: createChoiceReader(Object.fromEntries(types)) },
      schoolId: {
        read: createReferenceReader(
          schools.map(({ id, code, name }) => ({ id, names: [code, name] })),
          { missing: codes.importSchool, ambiguous: codes.importSchoolTwice },
        ),
      },
      weekdays: { read: readWeekdays },
      fromMin: { read: createMinuteReader(1439) },
      toMin: { read: createMinuteReader(1440) },
      equipment: { read: readEquipment },
    },
    // An import for the user's own school need not name it.
    ...(own && { defaults: { schoolId: own.id } }),
    uniqueKeys: (draft) => {
      const of = keyOf(draft)
      return of ? [[key, of]] : []
    },
    keyOf,
    findExisting: async (drafts) => {
      const places = await loadPlaces(
        db,
        drafts.flatMap((draft) => (draft.place === undefined ? [] : (schoolOf(draft) ?? []))),
      )
      const ids = drafts.flatMap((draft) => schoolOf(draft) ?? [])
      const { found, repeated } = await loadPosts(db, actor, ids, places)
      batch = { places, repeated }
      return found
    },
    check: async (draft, existing) => {
      if (existing && batch.repeated.has(existing.id))
        return [cellError(key, codes.importPostTwice, { name: existing.values.name ?? '' })]
      if (draft.place === undefined) return []
      const place = findPlace(batch.places, existing?.values.schoolId ?? draft.schoolId, draft.place)
      return 'code' in place ? [cellError('place', place.code, place.params)] : []
    },
  }
}

/** The place may have been renamed since the check. */
const getPlaceId = async (trx: Db, schoolId: number, text: string): Promise<number> => {
  const place = findPlace(await loadPlaces(trx, [schoolId]), schoolId, text)
  if ('code' in place) throw new BusinessError(place.code, place.params)
  return 'value' in place ? Number(place.value) : 0
}

const createPost = async (trx: Db, { place, ...draft }: PostImportDraft, caller: Caller): Promise<number> => {
  const placeId = place === undefined ? null : await getPlaceId(trx, draft.schoolId, place)
  const rest = { equipment: draft.equipment ?? [], enabled: draft.enabled ?? true, remark: draft.remark ?? null }
  return insertPost(trx, { ...draft, ...rest, deptId: null, placeId }, caller)
}

/** The school names the post together with its name, so a line never moves a post. */
const updatePost = async (
  trx: Db,
  id: number,
  { place, schoolId: _school, ...draft }: Partial<PostImportDraft>,
  caller: Caller,
): Promise<void> => {
  const post = await scoped(trx, caller.actor)
    .selectFrom('securityPost')
    .select('schoolId')
    .where('id', '=', id)
    .executeTakeFirst()
  if (!post) throw new BusinessError(codes.importGone)
  const placeId = place === undefined ? undefined : await getPlaceId(trx, post.schoolId ?? 0, place)
  await updatePostIn(trx, { ...draft, ...(placeId !== undefined && { placeId }), id }, caller)
}

/** Posts of schools as a spreadsheet. */
export const postImporter: Importer<PostImportDraft> = {
  endpoints: postImports,
  jobName: 'security-post-import',
  page: '/duty/post',
  title: '岗位',
  titleEn: 'Posts',
  sheet: PostSheetRow,
  otherHeadings: {
    name: ['岗位名称'],
    type: ['岗位类型'],
    schoolId: ['学校名称', '学校代码', '单位', 'Unit'],
    place: ['位置路径'],
    fromMin: ['开始时间'],
    toMin: ['结束时间'],
    headcount: ['人数'],
  },
  required: ['name', 'type', 'weekdays', 'fromMin', 'toMin', 'headcount'],
  key,
  constraints: {},
  template: async (db, actor) => {
    const schools = await loadSchools(db, actor)
    const school = schools[0]?.name ?? ''
    return {
      samples: [
        ['东门门卫', '门卫', school, '', '每天', '07:00', '19:00', '2', '头盔 2、盾牌 2、钢叉 1', '是', ''],
        ['放学护学岗', '护学岗', school, '', '周一–周五', '16:30', '17:10', '1', '', '是', ''],
      ],
      choices: {
        type: types.map(([, [zh]]) => zh),
        schoolId: schools.slice(0, 100).map(({ name }) => name),
        enabled: ['是', '否'],
      },
    }
  },
  openCheck: (context) =>
    openEntityCheck<PostImportDraft>({ sheet: PostSheetRow, draft: PostImportDraft, key, open: openRules }, context),
  writer: createRowWriter<PostImportDraft>({
    draft: PostImportDraft,
    key,
    constraints: {},
    permissions: { create: securityPosts.create.permission, update: securityPosts.update.permission },
    create: createPost,
    update: updatePost,
  }),
}
