import type { EnumLabels } from '../field.ts'
import type { FileGroup, FilePurpose } from './file.ts'
import type { JobState } from './job.ts'
import type { ImportVerdict } from './import.ts'

const filePurpose: EnumLabels<FilePurpose> = {
  DRAFT: ['表单附件', 'Attached to a form'],
  LIBRARY: ['文件库', 'Library'],
  AVATAR: ['头像', 'Picture of a person'],
  IMPORT: ['导入', 'Import'],
  EXPORT: ['导出', 'Export'],
}

const fileGroup: EnumLabels<FileGroup> = {
  IMAGE: ['图片', 'Pictures'],
  DOCUMENT: ['文档', 'Documents'],
  MEDIA: ['音视频', 'Sound and video'],
  OTHER: ['其他', 'Other'],
}

const jobState: EnumLabels<JobState> = {
  QUEUED: ['排队中', 'Queued'],
  RUNNING: ['进行中', 'Running'],
  READY: ['待确认', 'Waiting for you'],
  DONE: ['已完成', 'Done'],
  FAILED: ['失败', 'Failed'],
  CANCELLED: ['已取消', 'Cancelled'],
}

const importVerdict: EnumLabels<ImportVerdict> = {
  CREATE: ['新增', 'New'],
  UPDATE: ['更新', 'Changed'],
  SAME: ['无变化', 'The same'],
  BAD: ['错误', 'Wrong'],
}

/** Labels of files, bulk jobs and imports. */
export const fileLabels = { filePurpose, fileGroup, jobState, importVerdict }
