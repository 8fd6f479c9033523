import { z } from 'zod'
import { Id, queryId } from '../codecs.ts'
import { auditFields, generatedColumns } from '../audit-fields.ts'
import { endpoint } from '../endpoint.ts'
import { field } from '../field.ts'
import { coordinateSystems } from './plan/coordinate-system.ts'
import { PlanPolygon, PlanPolygonDraft, PlanRouteDraft } from './geofence.ts'
import { nameText } from '../text-fields.ts'

export const placeKinds = ['CAMPUS', 'BUILDING', 'FLOOR', 'ROOM', 'ZONE', 'GATE', 'OUTDOOR'] as const
export const sensitivities = ['NORMAL', 'PRIVATE'] as const

export const Place = z.strictObject({
  id: field(Id, '编号', 'Id'),
  schoolId: field(Id, '学校', 'School'),
  parentId: field(Id.nullable(), '上级位置', 'Parent place'),
  kind: field(z.enum(placeKinds), '类型', 'Kind'),
  name: field(z.string(), '位置名称', 'Place name'),
  code: field(z.string().nullable(), '位置代码', 'Place code'),
  floorNo: field(z.int().nullable(), '楼层', 'Floor number'),
  lng: field(z.number().nullable(), '经度', 'Longitude'),
  lat: field(z.number().nullable(), '纬度', 'Latitude'),
  /** Where the position was taken from; it is stored in CGCS2000. */
  coordinateSystem: field(z.enum(coordinateSystems), '坐标来源', 'Source of the position'),
  polygon: field(PlanPolygon.nullable(), '平面图轮廓', 'Outline on the plan'),
  /** From a gate or entrance to the place. */
  planRoute: field(PlanPolygon.nullable(), '平面图路线', 'Route on the plan'),
  sensitivity: field(z.enum(sensitivities), '敏感度', 'Sensitivity'),
  keyPart: field(z.boolean(), '重点部位', 'Key area'),
  cameraIds: field(z.array(Id), '摄像机', 'Cameras'),
  accessNotes: field(z.string().nullable(), '进入说明', 'Access notes'),
  sort: field(z.int(), '排序', 'Order'),
  ...auditFields,
})
export type Place = z.output<typeof Place>

export const PlaceDraft = Place.omit(generatedColumns).extend({
  name: field(nameText(64), '位置名称', 'Place name'),
  code: field(z.string().trim().max(32).nullable(), '位置代码', 'Place code'),
  floorNo: field(z.int().min(-10).max(200).nullable(), '楼层', 'Floor number'),
  lng: field(z.number().min(-180).max(180).nullable(), '经度', 'Longitude'),
  lat: field(z.number().min(-90).max(90).nullable(), '纬度', 'Latitude'),
  polygon: field(PlanPolygonDraft.nullable(), '平面图轮廓', 'Outline on the plan'),
  planRoute: field(PlanRouteDraft.nullable(), '平面图路线', 'Route on the plan'),
  cameraIds: field(z.array(Id).max(20), '摄像机', 'Cameras'),
  accessNotes: field(z.string().trim().max(500).nullable(), '进入说明', 'Access notes'),
})
export type PlaceDraft = z.output<typeof PlaceDraft>

/** A camera by its name; only current cameras of the school. */
export const CameraName = z.strictObject({ id: Id, sn: z.string(), modelName: z.string() })
export type CameraName = z.output<typeof CameraName>

export const PlaceRow = Place.extend({
  cameras: field(z.array(CameraName), '摄像机', 'Cameras'),
  deviceCount: field(z.int(), '设备数', 'Devices'),
  floorPlanCount: field(z.int(), '平面图版数', 'Editions of the floor plan'),
})
export type PlaceRow = z.output<typeof PlaceRow>

export const places = {
  list: endpoint({
    method: 'GET',
    path: '/school/place/list',
    kind: 'json',
    permission: 'school:place:query',
    scope: 'school',
    summary: '学校位置树',
    summaryEn: 'Places of one school',
    query: z.strictObject({ schoolId: field(queryId, '学校', 'School') }),
    data: z.array(PlaceRow),
  }),
}
