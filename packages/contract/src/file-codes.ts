import { code } from './code.ts'

/** Of files, and of work that goes on in the background and leaves one. */
export const fileCodes = {
  jobMissing: code(1_001_005_001, '任务不存在', 'The job does not exist'),
  jobOver: code(1_001_005_002, '任务已经结束', 'The job has already ended'),
  exportTooMany: code(
    1_001_005_010,
    '数据超过 {max} 行，请使用后台导出',
    'More than {max} rows: export them in the background',
  ),
  exportGone: code(1_001_005_011, '已没有导出该数据的权限', 'You may not export this any more'),

  fileMissing: code(1_001_003_001, '文件不存在', 'The file does not exist'),
  fileUsed: code(1_001_003_010, '文件正在被使用，不能删除', 'The file is in use and cannot be deleted'),
  fileLink: code(
    1_001_003_011,
    '文件链接无效，请刷新页面后重试',
    'This link is not valid; reload the page and try again',
  ),
  fileLinkOver: code(
    1_001_003_012,
    '文件链接已过期，请刷新页面后重试',
    'This link has expired; reload the page and try again',
  ),
  fileTooMany: code(
    1_001_003_013,
    '短时间内上传的文件过多，请稍后再试',
    'Too many files within a short time, please try again later',
  ),

  importEmpty: code(1_002_003_004, '导入用户数据不能为空！', 'The sheet has no rows'),
  importUnreadable: code(
    1_002_003_040,
    '文件无法读取，请使用未加密的 xlsx、xls 或 csv 文件',
    'The file cannot be read: use an unprotected xlsx, xls or csv file',
  ),
  importColumns: code(
    1_002_003_041,
    '第一行缺少必要的列：{columns}',
    'Columns are missing in the first line: {columns}',
  ),
  importTooMany: code(1_002_003_042, '一次最多导入 {max} 行', 'At most {max} rows at a time'),
}
