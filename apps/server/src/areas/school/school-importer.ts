import { codes } from '@tocsin/contract/codes'
import type { EnumLabels } from '@tocsin/contract/field'
import type { CoordinateSystem } from '@tocsin/contract/school/plan/coordinate-system'
import { toCgcs2000 } from '@tocsin/contract/school/plan/coordinates'
import { schoolEdits } from '@tocsin/contract/school/school-edits'
import { SchoolImportDraft, SchoolSheetRow, schoolImports } from '@tocsin/contract/school/school-import'
import { schoolLabels } from '@tocsin/contract/school/school-labels'
import { createChoiceReader, createReferenceReader } from '#areas/files/import/cell-readers'
import { openEntityCheck } from '#areas/files/import/entity-check'
import type { CheckContext, Importer } from '#areas/files/import/importer'
import { createRowWriter } from '#areas/files/import/row-writer'
import type { Db } from '#db/db'
import { scoped } from '#db/scope'
import type { Actor } from '#http/route'
import { insertSchool, insertSchools, updateSchoolIn } from './school-edit.ts'
import { listDistricts, listStations } from './school-options.ts'

const key = 'code'
const constraints = { school_code_key: 'code', school_name_key: 'name' }

type Draft = Partial<SchoolImportDraft>

const findExisting = async (db: Db, actor: Actor, drafts: readonly Draft[]) => {
  const numbers = drafts.flatMap(({ code }) => code ?? [])
  const rows = await scoped(db, actor)
    .selectFrom('school')
    .innerJoin('dept', 'dept.id', 'school.deptId')
    .selectAll('school')
    .select('dept.parentId as eduDeptId')
    .where('school.code', 'in', ['', ...numbers])
    .execute()
  // Without the source of the position: a system that were dropped as unchanged would leave the numbers unconverted.
  return new Map(
    rows.map(({ coordinateSystem: _source, ...row }) => [
      row.code,
      { id: row.id, values: { ...row, eduDeptId: row.eduDeptId ?? 0 } },
    ]),
  )
}

const districtFixed = {
  field: 'eduDeptId',
  message: codes.importDistrictFixed.zh,
  messageEn: codes.importDistrictFixed.en,
}

/** As people write the systems in a cell. */
const systemNames: EnumLabels<CoordinateSystem> = {
  CGCS2000: ['CGCS2000', 'CGCS2000'],
  GCJ02: ['GCJ-02', 'GCJ-02'],
  BD09: ['BD-09', 'BD-09'],
  WGS84: ['WGS-84', 'WGS-84'],
}

/** A shifted position can only be converted as a whole. */
const isHalfPosition = ({ coordinateSystem, lng, lat }: Draft): boolean =>
  coordinateSystem !== undefined &&
  coordinateSystem !== 'CGCS2000' &&
  (typeof lng === 'number') !== (typeof lat === 'number')

const positionIncomplete = {
  field: 'coordinateSystem',
  message: codes.importPositionIncomplete.zh,
  messageEn: codes.importPositionIncomplete.en,
}

/** The position as it is stored; nothing when there is none to convert. */
const toStoredPosition = ({ lng, lat }: Draft, system: CoordinateSystem = 'CGCS2000') =>
  typeof lng === 'number' && typeof lat === 'number'
    ? { ...toCgcs2000({ lng, lat }, system), coordinateSystem: system }
    : {}

const toDraft = ({ coordinateSystem, ...draft }: SchoolImportDraft) => ({
  ...draft,
  ...toStoredPosition(draft, coordinateSystem),
})

const toReferences = (depts: readonly { id: number; name: string; code: string | null }[]) =>
  depts.map(({ id, name, code }) => ({ id, names: [name, code] }))

const openCheck = (context: CheckContext) =>
  openEntityCheck<SchoolImportDraft>(
    {
      sheet: SchoolSheetRow,
      draft: SchoolImportDraft,
      key,
      open: async ({ db, who }) => {
        const districts = toReferences(await listDistricts(db, who.actor))
        const stations = toReferences(await listStations(db))
        return {
          columns: {
            eduDeptId: {
              read: createReferenceReader(districts, {
                missing: codes.importDistrict,
                ambiguous: codes.importDistrictTwice,
              }),
            },
            policeDeptId: {
              read: createReferenceReader(stations, {
                missing: codes.importStation,
                ambiguous: codes.importStationTwice,
              }),
            },
            stage: { read: createChoiceReader(schoolLabels.stage) },
            areaType: { read: createChoiceReader(schoolLabels.areaType) },
            coordinateSystem: { read: createChoiceReader(systemNames) },
          },
          defaults: { areaType: 'URBAN' },
          uniqueKeys: ({ code, name }) => [
            ...(code ? [['code', code] as const] : []),
            ...(name ? [['name', name] as const] : []),
          ],
          keyOf: ({ code }) => code,
          findExisting: (drafts) => findExisting(db, who.actor, drafts),
          check: async (draft, existing) => [
            ...(existing && draft.eduDeptId !== undefined && draft.eduDeptId !== existing.values.eduDeptId
              ? [districtFixed]
              : []),
            ...(isHalfPosition(draft) ? [positionIncomplete] : []),
          ],
        }
      },
    },
    context,
  )

/** All schools of a district as one spreadsheet; each is created with its department. */
export const schoolImporter: Importer<SchoolImportDraft> = {
  endpoints: schoolImports,
  jobName: 'school-import',
  page: '/school/list',
  title: '学校',
  titleEn: 'Schools',
  sheet: SchoolSheetRow,
  otherHeadings: {
    code: ['代码', '标识码'],
    name: ['学校', '名称'],
    eduDeptId: ['区县', '教育局', 'District'],
    policeDeptId: ['派出所', 'Station'],
  },
  required: ['code', 'name', 'eduDeptId', 'stage'],
  key,
  constraints,
  template: async (db, actor) => {
    const [districts, stations] = await Promise.all([listDistricts(db, actor), listStations(db)])
    const named = (list: readonly { name: string }[]) => [...new Set(list.map(({ name }) => name))].slice(0, 100)
    return {
      samples: [
        [
          '4201030001',
          '示例第一小学',
          districts[0]?.name ?? '',
          stations[0]?.name ?? '',
          '小学',
          '城区',
          '否',
          '1200',
          '0',
          '86',
          '示例路1号',
          '114.3',
          '30.6',
          '027-55501010',
          'CGCS2000',
        ],
      ],
      choices: {
        eduDeptId: named(districts),
        policeDeptId: named(stations),
        stage: Object.values(schoolLabels.stage).map(([zh]) => zh),
        areaType: Object.values(schoolLabels.areaType).map(([zh]) => zh),
        boarding: ['是', '否'],
        coordinateSystem: Object.values(systemNames).map(([zh]) => zh),
      },
    }
  },
  openCheck,
  writer: createRowWriter<SchoolImportDraft>({
    draft: SchoolImportDraft,
    key,
    constraints,
    permissions: { create: schoolEdits.create.permission, update: schoolEdits.update.permission },
    create: async (trx, draft, caller) => (await insertSchool(trx, toDraft(draft), caller)).id,
    createAll: async (trx, drafts, caller) =>
      (await insertSchools(trx, drafts.map(toDraft), caller)).map(({ id }) => id),
    update: (trx, id, { eduDeptId: _district, code: _code, coordinateSystem, ...draft }, caller) =>
      updateSchoolIn(trx, { id, ...draft, ...toStoredPosition(draft, coordinateSystem) }, caller),
  }),
}
