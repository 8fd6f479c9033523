import { z } from 'zod'
import { Day, Id, Millis, queryBool, queryId, queryList } from '../codecs.ts'
import { auditFields } from '../audit-fields.ts'
import { endpoint } from '../endpoint.ts'
import { field } from '../field.ts'
import { ById, PageQuery, page, sortable } from '../page.ts'
import { CameraName } from '../school/place.ts'
import { connectivities, deviceLacks, installationStatuses } from './device.ts'
import { deviceKinds } from './model.ts'

/** An installation: the period in which one device is mounted at one place of a school. */
export const SchoolDevice = z.strictObject({
  id: field(Id, '编号', 'Id'),
  deviceId: field(Id, '设备', 'Device'),
  schoolId: field(Id, '学校', 'School'),
  placeId: field(Id, '位置', 'Place'),
  mountNote: field(z.string().nullable(), '安装说明', 'Mounting note'),
  lng: field(z.number().nullable(), '经度', 'Longitude'),
  lat: field(z.number().nullable(), '纬度', 'Latitude'),
  planX: field(z.number().nullable(), '平面图横坐标', 'Plan x'),
  planY: field(z.number().nullable(), '平面图纵坐标', 'Plan y'),
  cameraIds: field(z.array(Id), '摄像机', 'Cameras'),
  silent: field(z.boolean(), '静默', 'Silent'),
  status: field(z.enum(installationStatuses), '状态', 'Status'),
  suspendedUntil: field(Millis.nullable(), '停用至', 'Suspended until'),
  installedBy: field(Id.nullable(), '安装人', 'Installed by'),
  installedAt: field(Millis.nullable(), '安装时间', 'Installed'),
  acceptedBy: field(Id.nullable(), '验收人', 'Accepted by'),
  acceptedAt: field(Millis.nullable(), '验收时间', 'Accepted'),
  lastTestAt: field(Millis.nullable(), '上次测试', 'Last test'),
  nextTestDue: field(Day.nullable(), '下次测试', 'Next test due'),
  validFrom: field(Millis, '开始', 'From'),
  validTo: field(Millis.nullable(), '结束', 'To'),
  ...auditFields,
})
export type SchoolDevice = z.output<typeof SchoolDevice>

export const SchoolDeviceRow = SchoolDevice.extend({
  sn: field(z.string(), '设备序列号', 'Serial number'),
  modelName: field(z.string(), '型号', 'Model'),
  kind: field(z.enum(deviceKinds), '类型', 'Kind'),
  schoolName: field(z.string(), '学校', 'School'),
  placePath: field(z.string(), '安装位置', 'Place'),
  connectivity: field(z.enum(connectivities), '连接状态', 'Connectivity'),
  lastSeenAt: field(Millis.nullable(), '最近通信', 'Last seen'),
  readiness: field(z.int().nullable(), '就绪度', 'Readiness'),
  lacks: field(z.array(z.enum(deviceLacks)), '缺少', 'Lacks'),
  /** The next test was due before today. */
  testOverdue: field(z.boolean(), '测试已过期', 'Test overdue'),
})
export type SchoolDeviceRow = z.output<typeof SchoolDeviceRow>

/** The installations at the same place before and after, when a device took the place of another in one step. */
const replacement = {
  replacesId: Id.nullable(),
  replacesSn: field(z.string().nullable(), '替换了', 'Replaced'),
  replacedById: Id.nullable(),
  replacedBySn: field(z.string().nullable(), '已换为', 'Replaced by'),
}

/** An installation in the history of its device. */
export const InstallationHistoryRow = SchoolDeviceRow.extend(replacement)
export type InstallationHistoryRow = z.output<typeof InstallationHistoryRow>

/** A picture of the mounting: a stored file, used by the installation, as a link for the reader. */
export const InstallationPhoto = z.strictObject({ id: Id, name: z.string(), url: z.string() })

export const SchoolDeviceDetail = SchoolDeviceRow.extend({
  cameras: field(z.array(CameraName), '摄像机', 'Cameras'),
  installedByName: field(z.string().nullable(), '安装人', 'Installed by'),
  acceptedByName: field(z.string().nullable(), '验收人', 'Accepted by'),
  photos: field(z.array(InstallationPhoto), '安装照片', 'Photographs'),
})
export type SchoolDeviceDetail = z.output<typeof SchoolDeviceDetail>

export const SchoolDeviceQuery = PageQuery.extend({
  keyword: field(z.string().max(64).optional(), '序列号或位置', 'Serial number or place'),
  schoolId: field(queryId.optional(), '学校', 'School'),
  /** With all places below it. */
  placeId: field(queryId.optional(), '位置', 'Place'),
  status: field(queryList(installationStatuses).optional(), '状态', 'Status'),
  connectivity: field(queryList(connectivities).optional(), '连接状态', 'Connectivity'),
  testOverdue: field(queryBool.optional(), '测试已过期', 'Test overdue'),
  noRecipient: field(queryBool.optional(), '无接收人', 'No recipient'),
  silent: field(queryBool.optional(), '静默', 'Silent'),
  /** `placePath`: as the paths read, with numbers in their order. */
  orderBy: sortable(['placePath', 'schoolName', 'readiness', 'installedAt', 'lastTestAt', 'nextTestDue']),
})
export type SchoolDeviceQuery = z.output<typeof SchoolDeviceQuery>

export const schoolDevices = {
  page: endpoint({
    method: 'GET',
    path: '/device/school-device/page',
    kind: 'json',
    permission: 'device:school-device:query',
    scope: 'school',
    summary: '学校设备分页',
    summaryEn: 'Installed devices, by page',
    query: SchoolDeviceQuery,
    data: page(SchoolDeviceRow),
  }),
  get: endpoint({
    method: 'GET',
    path: '/device/school-device/get',
    kind: 'json',
    permission: 'device:school-device:query',
    scope: 'school',
    summary: '学校设备详情',
    summaryEn: 'One installed device',
    query: ById,
    data: SchoolDeviceDetail,
  }),
}
