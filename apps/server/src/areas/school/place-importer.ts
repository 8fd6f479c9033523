import { codes } from '@tocsin/contract/codes'
import { Id } from '@tocsin/contract/codecs'
import { field } from '@tocsin/contract/field'
import type { Place } from '@tocsin/contract/school/place'
import { placeEdits, PlaceImportDraft, placeImports, PlaceSheetRow } from '@tocsin/contract/school/place-edits'
import { schoolLabels } from '@tocsin/contract/school/school-labels'
import { sql } from 'kysely'
import { type CellReader, createChoiceReader } from '#areas/files/import/cell-readers'
import { type ExistingRow, openEntityCheck } from '#areas/files/import/entity-check'
import type { CheckContext, Importer, LineCheck } from '#areas/files/import/importer'
import { createRowWriter } from '#areas/files/import/row-writer'
import type { Db } from '#db/db'
import { scoped, unscoped } from '#db/scope'
import { BusinessError } from '#http/business-error'
import type { Actor, Caller } from '#http/route'
import { all, checkRoom } from './place-checks.ts'
import { insertPlace, updatePlaceIn } from './place-edit.ts'
import { lockSchool } from './school-edit.ts'

const key = 'path'
const constraints = { place_name_key: 'path' }
const MAX_NAME_LENGTH = 64
const MAX_DEPTH = 8

/** A line that is to be written names its school too. */
const Line = PlaceImportDraft.extend({ schoolId: field(Id, '学校', 'School') })
type Line = PlaceImportDraft & { schoolId: number }

/** Names from the top down, without blanks around them. */
const readPath: CellReader = (text) => {
  const names = text
    .normalize('NFKC')
    .split('/')
    .map((name) => name.trim())
  const isValid = names.length <= MAX_DEPTH && names.every((name) => name !== '' && name.length <= MAX_NAME_LENGTH)
  return isValid ? { value: names.join('/') } : { rule: 'format' }
}

type Existing = ReadonlyMap<string, ExistingRow<PlaceImportDraft>>

/** The places of a school by their paths. */
const loadPaths = async (db: Db, schoolId: number): Promise<Existing> => {
  const { rows } = await sql<PlaceImportDraft & { id: number }>`
    with recursive tree as (
      select place.*, place.name::text as path from place where school_id = ${schoolId} and parent_id is null
      union all
      select place.*, tree.path || '/' || place.name from place join tree on place.parent_id = tree.id
    )
    select id, path, kind, code, floor_no, sensitivity, key_part, access_notes from tree`.execute(
    unscoped(db, 'the school was found in the visibility of the importing user'),
  )
  return new Map(rows.map(({ id, ...values }) => [values.path, { id, values }]))
}

const schoolOf = ({ data }: CheckContext): number => Number(data.options['schoolId'])

const openCheck = async (context: CheckContext): Promise<LineCheck> => {
  const schoolId = schoolOf(context)
  const check = await openEntityCheck<PlaceImportDraft>(
    {
      sheet: PlaceSheetRow,
      draft: PlaceImportDraft,
      key,
      open: async ({ db }) => ({
        columns: {
          path: { read: readPath },
          kind: { read: createChoiceReader(schoolLabels.placeKind) },
          sensitivity: { read: createChoiceReader(schoolLabels.sensitivity) },
        },
        uniqueKeys: ({ path }) => (path ? [[key, path] as const] : []),
        keyOf: ({ path }) => path,
        findExisting: () => loadPaths(db, schoolId),
      }),
    },
    context,
  )
  return {
    ...check,
    resolve: async (rows) =>
      (await check.resolve(rows)).map((row) =>
        row.verdict === 'CREATE' ? { ...row, draft: { ...row.draft, schoolId } } : row,
      ),
  }
}

/** What a place that is only named on the way to another one will be. */
const kindOnTheWay = (name: string, parent: Pick<Place, 'kind'> | undefined): Place['kind'] => {
  if (parent?.kind === 'BUILDING') return 'FLOOR'
  if (parent && parent.kind !== 'CAMPUS') return 'ZONE'
  return name.includes('校区') || /campus/i.test(name) ? 'CAMPUS' : 'BUILDING'
}

const floorIn = (name: string, kind: Place['kind']): number | null => {
  const digits = kind === 'FLOOR' ? /-?\d{1,2}/.exec(name)?.[0] : undefined
  return digits === undefined ? null : Number(digits)
}

const findBelow = (trx: Db, schoolId: number, parentId: number | null, name: string) =>
  all(trx)
    .selectFrom('place')
    .selectAll()
    .where('schoolId', '=', schoolId)
    .where('parentId', 'is not distinct from', parentId)
    .where('name', '=', name)
    .executeTakeFirst()

/** Creates a place at its path, with what is missing above it. */
const createAtPath = async (trx: Db, { path, schoolId, ...draft }: Line, caller: Caller): Promise<number> => {
  await lockSchool(trx, caller, schoolId)
  const names = path.split('/')
  const last = names.pop() ?? ''
  let parent: Awaited<ReturnType<typeof findBelow>>
  const insert = async (given: Omit<Line, 'path' | 'schoolId'> & { name: string }) => {
    await checkRoom(trx, schoolId, 1)
    return insertPlace(trx, { ...given, schoolId, parentId: parent?.id ?? null }, caller)
  }
  for (const name of names) {
    const kind = kindOnTheWay(name, parent)
    parent =
      (await findBelow(trx, schoolId, parent?.id ?? null, name)) ??
      (await insert({ name, kind, floorNo: floorIn(name, kind) }))
  }
  const found = await findBelow(trx, schoolId, parent?.id ?? null, last)
  if (!found) return (await insert({ floorNo: floorIn(last, draft.kind), ...draft, name: last })).id
  // A line above named it on the way; what somebody else wrote meanwhile stays.
  if (found.version > 1 || found.creator !== caller.actor.userId)
    throw new BusinessError(codes.placeName, { name: last })
  await updatePlaceIn(trx, { ...draft, id: found.id }, caller)
  return found.id
}

const findSchool = async (db: Db, actor: Actor, { schoolId }: Record<string, unknown>) => {
  const school = await scoped(db, actor)
    .selectFrom('school')
    .select('id')
    .where('id', '=', Number(schoolId))
    .executeTakeFirst()
  if (!school) throw new BusinessError(codes.notFound, { what: '学校' })
  return { schoolId: school.id }
}

/** Buildings, floors and rooms of one school as a sheet of paths. */
export const placeImporter: Importer<Line> = {
  endpoints: placeImports,
  jobName: 'place-import',
  page: '/school/list',
  pageOf: ({ schoolId }) => `/school/detail/${Number(schoolId)}`,
  title: '位置',
  titleEn: 'Places',
  sheet: PlaceSheetRow,
  otherHeadings: { path: ['位置', '路径', 'Place'], kind: ['Type', '种类'], floorNo: ['楼层号', 'Floor'] },
  required: ['path', 'kind'],
  key,
  constraints,
  checkOptions: findSchool,
  template: async () => ({
    samples: [
      ['教学楼', '楼栋', 'A', '', '普通', '否', ''],
      ['教学楼/3层', '楼层', '', '3', '普通', '否', ''],
      ['教学楼/3层/301室', '房间', 'A301', '3', '普通', '是', '从东侧楼梯进入'],
    ],
    choices: {
      kind: Object.values(schoolLabels.placeKind).map(([zh]) => zh),
      sensitivity: Object.values(schoolLabels.sensitivity).map(([zh]) => zh),
      keyPart: ['是', '否'],
    },
  }),
  openCheck,
  writer: createRowWriter<Line>({
    draft: Line,
    key,
    constraints,
    permissions: { create: placeEdits.create.permission, update: placeEdits.update.permission },
    create: createAtPath,
    update: (trx, id, { path: _path, schoolId: _school, ...draft }, caller) =>
      updatePlaceIn(trx, { ...draft, id }, caller),
  }),
}
