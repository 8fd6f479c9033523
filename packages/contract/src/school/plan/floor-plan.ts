import { z } from 'zod'
import { auditFields } from '../../audit-fields.ts'
import { Id, Millis, queryId } from '../../codecs.ts'
import { endpoint } from '../../endpoint.ts'
import { field } from '../../field.ts'
import { ById } from '../../page.ts'
import { PlanPolygon, PlanPolygonDraft, PlanRouteDraft } from '../geofence.ts'
import { placeKinds, sensitivities } from '../place.ts'

const id = field(Id, '编号', 'Id')
const version = field(z.int(), '版本', 'Version')
const metresPerPixel = field(z.number().min(0.0001).max(10).nullable(), '每像素米数', 'Metres per pixel')
const north = field(z.number().min(0).max(359.9).nullable(), '北向角度', 'Angle of north')

/** A point of a plan, from 0 to 1, whose position on the map is known. */
export const ControlPoint = z.strictObject({
  x: z.number().min(0).max(1),
  y: z.number().min(0).max(1),
  lng: z.number().min(-180).max(180),
  lat: z.number().min(-90).max(90),
})
export type ControlPoint = z.output<typeof ControlPoint>

const controlPoints = field(z.array(ControlPoint).length(3).nullable(), '控制点', 'Control points')

const polygon = field(PlanPolygon.nullable(), '平面图轮廓', 'Outline on the plan')
const planRoute = field(PlanPolygon.nullable(), '平面图路线', 'Route on the plan')

/** What is drawn on an edition, by place and by installation. */
export const PlanContent = z.strictObject({
  places: field(z.array(z.strictObject({ id, polygon, planRoute })), '轮廓与路线', 'Outlines and routes'),
  pins: field(z.array(z.strictObject({ id, x: z.number(), y: z.number() })), '设备标注', 'Pins'),
})
export type PlanContent = z.output<typeof PlanContent>

/** A picture of one floor. A floor keeps all its pictures; at most one of them is published. */
export const FloorPlan = z.strictObject({
  id,
  schoolId: field(Id, '学校', 'School'),
  placeId: field(Id, '楼层', 'Floor'),
  fileId: field(Id, '图片', 'Picture'),
  number: field(z.int(), '版次', 'Edition'),
  width: field(z.int(), '宽度', 'Width'),
  height: field(z.int(), '高度', 'Height'),
  metresPerPixel: field(z.number().nullable(), '每像素米数', 'Metres per pixel'),
  north: field(z.number().nullable(), '北向角度', 'Angle of north'),
  controlPoints: field(z.array(ControlPoint).nullable(), '控制点', 'Control points'),
  publishedAt: field(Millis.nullable(), '发布时间', 'Published'),
  /** Null on the published edition, whose drawing is in the places and installations. */
  drawing: field(PlanContent.nullable(), '标绘', 'Drawing'),
  ...auditFields,
})
export type FloorPlan = z.output<typeof FloorPlan>

/** `url` is valid for its reader for ten minutes. */
export const FloorPlanRow = FloorPlan.extend({ url: field(z.string(), '链接', 'Link') })
export type FloorPlanRow = z.output<typeof FloorPlanRow>

export const PlanRoom = z.strictObject({
  id,
  version,
  kind: field(z.enum(placeKinds), '类型', 'Kind'),
  name: field(z.string(), '位置名称', 'Place name'),
  sensitivity: field(z.enum(sensitivities), '敏感度', 'Sensitivity'),
  polygon,
  planRoute,
})
export type PlanRoom = z.output<typeof PlanRoom>

/** How a device is connected, with the values of the device area, which comes after this one. */
const pinStates = ['NEVER_SEEN', 'ONLINE', 'LATE', 'OFFLINE'] as const

/** A device that is installed on the floor now; `id` and `version` are those of its installation. */
export const PlanDevice = z.strictObject({
  id,
  version,
  placeId: field(Id, '位置', 'Place'),
  sn: field(z.string(), '设备序列号', 'Serial number'),
  connectivity: field(z.enum(pinStates), '连接状态', 'Connectivity'),
  isCamera: field(z.boolean(), '摄像机', 'Camera'),
  planX: field(z.number().nullable(), '平面图横坐标', 'Plan x'),
  planY: field(z.number().nullable(), '平面图纵坐标', 'Plan y'),
})
export type PlanDevice = z.output<typeof PlanDevice>

/** The data for drawing a floor. Without a picture only the known outlines are drawn. */
export const FloorView = z.strictObject({
  floorId: field(Id, '楼层', 'Floor'),
  floorName: field(z.string(), '楼层名称', 'Name of the floor'),
  plan: field(FloorPlanRow.nullable(), '平面图', 'Floor plan'),
  rooms: field(z.array(PlanRoom), '房间', 'Rooms'),
  devices: field(z.array(PlanDevice), '设备', 'Devices'),
})
export type FloorView = z.output<typeof FloorView>

const drawnPlace = z.strictObject({
  id,
  version,
  polygon: field(PlanPolygonDraft.nullable(), '平面图轮廓', 'Outline on the plan').optional(),
  planRoute: field(PlanRouteDraft.nullable(), '平面图路线', 'Route on the plan').optional(),
})
const share = z.number().min(0).max(1)
const drawnPin = z.strictObject({ id, version, at: field(z.tuple([share, share]).nullable(), '标注', 'Pin') })

/** Changes of the drawing of one floor, stored all or none; null removes what was drawn. */
export const PlanDraw = z.strictObject({
  /** The edition; null for a floor without a published one, whose outlines are shown without a picture. */
  id: field(Id.nullable(), '平面图', 'Floor plan'),
  version: field(z.int().nullable(), '版本', 'Version'),
  placeId: field(Id, '楼层', 'Floor'),
  places: field(z.array(drawnPlace).max(500), '轮廓与路线', 'Outlines and routes'),
  pins: field(z.array(drawnPin).max(500), '设备标注', 'Pins'),
})
export type PlanDraw = z.output<typeof PlanDraw>

const call = (verb: string) => ({ kind: 'json', permission: `school:place:${verb}`, scope: 'school' }) as const

export const floorPlans = {
  list: endpoint({
    ...call('query'),
    method: 'GET',
    path: '/school/floor-plan/list',
    summary: '一所学校的平面图，新的在前',
    summaryEn: 'Floor plans of one school, the latest first',
    query: z.strictObject({ schoolId: field(queryId, '学校', 'School') }),
    data: z.array(FloorPlanRow),
  }),
  view: endpoint({
    ...call('query'),
    method: 'GET',
    path: '/school/floor-plan/view',
    summary: '某位置所在楼层的平面图、房间与设备；不在任何楼层时为空',
    summaryEn: 'The published plan, rooms and devices of the floor that holds a place; null when it is on no floor',
    query: z.strictObject({ placeId: field(queryId, '位置', 'Place') }),
    data: FloorView.nullable(),
  }),
  create: endpoint({
    ...call('update'),
    method: 'POST',
    path: '/school/floor-plan/create',
    summary: '用已上传的图片新增平面图',
    summaryEn: 'Create a floor plan from an uploaded picture',
    body: z.strictObject({ placeId: field(Id, '楼层', 'Floor'), fileId: field(Id, '图片', 'Picture') }),
    data: Id,
  }),
  update: endpoint({
    ...call('update'),
    method: 'PUT',
    path: '/school/floor-plan/update',
    summary: '设置比例、北向与控制点',
    summaryEn: 'Set scale, north and control points',
    body: z.strictObject({
      id,
      version,
      metresPerPixel: metresPerPixel.optional(),
      north: north.optional(),
      controlPoints: controlPoints.optional(),
    }),
    data: z.literal(true),
  }),
  draw: endpoint({
    ...call('update'),
    method: 'POST',
    path: '/school/floor-plan/draw',
    summary: '保存平面图上的轮廓、路线与设备标注；未发布的一版发布后才生效',
    summaryEn: 'Save outlines, routes and pins of a floor plan; those of an unpublished edition take effect with it',
    body: PlanDraw,
    data: z.literal(true),
  }),
  publish: endpoint({
    ...call('update'),
    method: 'POST',
    path: '/school/floor-plan/publish',
    summary: '发布平面图及其标绘，替换已发布的一版',
    summaryEn: 'Publish a floor plan with its drawing in place of the published one',
    body: z.strictObject({ id, version }),
    data: z.literal(true),
  }),
  delete: endpoint({
    ...call('delete'),
    method: 'DELETE',
    path: '/school/floor-plan/delete',
    summary: '删除未发布的平面图',
    summaryEn: 'Delete a floor plan that is not published',
    query: ById,
    data: z.literal(true),
  }),
}
