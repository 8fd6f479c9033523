import { z } from 'zod'
import { Id, queryBool, queryId } from '../codecs.ts'
import { endpoint } from '../endpoint.ts'
import { field } from '../field.ts'
import { ImportQuery, importEndpoints } from '../files/import.ts'
import { ById } from '../page.ts'
import { Move } from '../settings/wire-codecs.ts'
import { nameText } from '../text-fields.ts'
import { PlaceDraft, placeKinds, sensitivities } from './place.ts'

const id = field(Id, '编号', 'Id')
const version = field(z.int(), '版本', 'Version')

const call = (verb: string) => ({ kind: 'json', permission: `school:place:${verb}`, scope: 'school' }) as const

const floor = z.int().min(-10).max(200).nullable()
const room = z.int().min(0).max(999).nullable()

export const PlacePlanDraft = z.strictObject({
  schoolId: field(Id, '学校', 'School'),
  parentId: field(Id, '上级位置', 'Parent place'),
  floorFrom: field(floor, '起始楼层', 'First floor'),
  floorTo: field(floor, '终止楼层', 'Last floor'),
  floorName: field(nameText(40), '楼层名称', 'Name of floors'),
  roomFrom: field(room, '起始房号', 'First room'),
  roomTo: field(room, '终止房号', 'Last room'),
  roomName: field(nameText(40), '房间名称', 'Name of rooms'),
})
export type PlacePlanDraft = z.output<typeof PlacePlanDraft>

export const PlaceCreateDraft = PlaceDraft.partial().required({ schoolId: true, kind: true, name: true })
export type PlaceCreateDraft = z.output<typeof PlaceCreateDraft>

export const PlacesEdit = z.strictObject({
  ids: field(z.array(Id).min(1).max(500), '位置', 'Places'),
  kind: field(z.enum(placeKinds).optional(), '类型', 'Kind'),
  sensitivity: field(z.enum(sensitivities).optional(), '敏感度', 'Sensitivity'),
  keyPart: field(z.boolean().optional(), '重点部位', 'Key area'),
})
export type PlacesEdit = z.output<typeof PlacesEdit>

export const placeEdits = {
  create: endpoint({
    ...call('create'),
    method: 'POST',
    path: '/school/place/create',
    summary: '新增位置',
    summaryEn: 'Create a place',
    body: PlaceCreateDraft,
    data: Id,
  }),
  createMany: endpoint({
    ...call('create'),
    method: 'POST',
    path: '/school/place/create-many',
    summary: '按楼层与房号批量新增，已有的跳过',
    summaryEn: 'Create floors and rooms by number; those that exist are skipped',
    body: PlacePlanDraft,
    data: z.strictObject({ created: z.int(), skipped: z.int() }),
  }),
  update: endpoint({
    ...call('update'),
    method: 'PUT',
    path: '/school/place/update',
    summary: '修改位置',
    summaryEn: 'Change a place',
    body: PlaceDraft.omit({ schoolId: true, parentId: true, sort: true }).partial().extend({ id, version }),
    data: z.literal(true),
  }),
  updateMany: endpoint({
    ...call('update'),
    method: 'PUT',
    path: '/school/place/update-many',
    summary: '批量设置类型、重点部位与隐私',
    summaryEn: 'Set kind, key area and privacy of several places',
    body: PlacesEdit,
    data: z.literal(true),
  }),
  move: endpoint({
    ...call('update'),
    method: 'POST',
    path: '/school/place/move',
    summary: '移动位置',
    summaryEn: 'Move a place in the tree',
    body: Move,
    data: z.literal(true),
  }),
  delete: endpoint({
    ...call('delete'),
    method: 'DELETE',
    path: '/school/place/delete',
    summary: '删除位置',
    summaryEn: 'Delete a place',
    query: ById.extend({
      /** Without it a floor that has a plan is not deleted. */
      withFloorPlans: field(queryBool.optional(), '一并删除平面图', 'Delete its floor plans too'),
    }),
    data: z.literal(true),
  }),
  /** Cameras of the school that a place may name. */
  cameras: endpoint({
    ...call('query'),
    method: 'GET',
    path: '/school/place/cameras',
    summary: '学校的摄像机',
    summaryEn: 'Cameras of a school',
    query: z.strictObject({ schoolId: field(queryId, '学校', 'School') }),
    data: z.array(z.strictObject({ id: Id, sn: z.string(), modelName: z.string() })),
  }),
}

/** A place by its path, such as `教学楼/3层/301室`; what is missing above it is created. */
export const PlaceImportDraft = z.strictObject({
  path: field(z.string().trim().min(1).max(400), '位置路径', 'Path'),
  kind: field(z.enum(placeKinds), '类型', 'Kind'),
  code: PlaceDraft.shape.code.optional(),
  floorNo: PlaceDraft.shape.floorNo.optional(),
  sensitivity: field(z.enum(sensitivities).optional(), '敏感度', 'Sensitivity'),
  keyPart: field(z.boolean().optional(), '重点部位', 'Key area'),
  accessNotes: PlaceDraft.shape.accessNotes.optional(),
})
export type PlaceImportDraft = z.output<typeof PlaceImportDraft>

export const PlaceSheetRow = z.strictObject({
  path: field(z.string(), '位置路径', 'Path'),
  kind: field(z.string(), '类型', 'Kind'),
  code: field(z.string(), '位置代码', 'Place code'),
  floorNo: field(z.string(), '楼层', 'Floor number'),
  sensitivity: field(z.string(), '敏感度', 'Sensitivity'),
  keyPart: field(z.string(), '重点部位', 'Key area'),
  accessNotes: field(z.string(), '进入说明', 'Access notes'),
})

export const placeImports = importEndpoints({
  permission: 'school:place:import',
  scope: 'school',
  path: '/school/place',
  title: '位置',
  titleEn: 'Places',
  query: ImportQuery.extend({ schoolId: field(queryId, '学校', 'School') }),
})
