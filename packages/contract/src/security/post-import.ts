import { z } from 'zod'
import { Id } from '../codecs.ts'
import { field } from '../field.ts'
import { ImportQuery, importEndpoints } from '../files/import.ts'
import { Equipment, MAX_EQUIPMENT, postTypes, SecurityPostDraft } from './post.ts'

/** Posts of schools. Seats belong to a department, and are few. */
export const schoolPostTypes = postTypes.filter((type) => type !== 'SEAT')

const { name, weekdays, fromMin, toMin, headcount, enabled, remark } = SecurityPostDraft.shape

/** The columns of the sheet of posts; `place` is a path, such as `教学楼/1层/大厅`, or the name of one place. */
export const PostImportDraft = z.strictObject({
  name,
  type: field(z.enum(schoolPostTypes), '类型', 'Type'),
  schoolId: field(Id, '学校', 'School'),
  place: field(z.string().trim().min(1).max(400).optional(), '位置', 'Place'),
  weekdays,
  fromMin,
  toMin,
  headcount,
  equipment: field(z.array(Equipment).max(MAX_EQUIPMENT).optional(), '装备', 'Equipment'),
  enabled: field(enabled.optional(), '启用', 'In use'),
  remark: field(remark.optional(), '备注', 'Remark'),
})
export type PostImportDraft = z.output<typeof PostImportDraft>

export const PostSheetRow = z.strictObject({
  name: field(z.string(), '岗位', 'Post'),
  type: field(z.string(), '类型', 'Type'),
  schoolId: field(z.string(), '学校', 'School'),
  place: field(z.string(), '位置', 'Place'),
  weekdays: field(z.string(), '星期', 'Weekdays'),
  fromMin: field(z.string(), '上岗时间', 'From'),
  toMin: field(z.string(), '下班时间', 'To'),
  headcount: field(z.string(), '应到人数', 'Required people'),
  equipment: field(z.string(), '装备', 'Equipment'),
  enabled: field(z.string(), '启用', 'In use'),
  remark: field(z.string(), '备注', 'Remark'),
})

export const postImports = importEndpoints({
  permission: 'security:post:import',
  scope: 'school',
  path: '/security/post',
  title: '岗位',
  titleEn: 'Posts',
  query: ImportQuery,
})
