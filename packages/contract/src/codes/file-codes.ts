import { type Code, code } from './code.ts'

/** Of files, and of background jobs that produce one. */
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
  fileQuota: code(
    1_001_003_014,
    '您上传的文件已超过 {max} MB 的配额，请先删除不需要的文件',
    'Your files exceed the quota of {max} MB: delete some first',
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
    '【{sheet}】第 {line} 行缺少必要的列：{columns}',
    'Row {line} of {sheet} was taken for the headings, but columns are missing: {columns}',
  ),
  importTooMany: code(1_002_003_042, '一次最多导入 {max} 行', 'At most {max} rows at a time'),
  importCellError: code(1_002_003_058, '单元格是错误值 {value}', 'The cell is the error {value}'),
  importNoResult: code(
    1_002_003_059,
    '单元格的公式没有保存计算结果，请在表格软件中重新保存',
    'The formula of the cell has no stored result: save the file again in the spreadsheet program',
  ),
  importDigits: code(
    1_002_003_060,
    '数字 {value} 超过 15 位，末位已被表格软件改变，请将单元格设为文本后重新填写',
    'The number {value} has more than 15 digits, and the spreadsheet program changed the last ones: set the cell to text',
  ),
  importGone: code(1_002_003_057, '校验后该数据已被删除', 'It was deleted after the check'),
  importExists: code(1_002_003_062, '已经存在', 'It exists already'),
  importEncoding: code(
    1_002_003_061,
    '第 {line} 行不是有效的 UTF-8 文本，请重新保存文件',
    'Line {line} is no valid UTF-8 text: save the file again',
  ),
}

/** Of the code generator. */
export const codegenCodes = {
  codegenKey: code(
    1_001_004_001,
    '表 {table} 不能导入：需要由数据库编号的 bigint 主键 id',
    'The table {table} cannot be imported: its key must be one bigint named id that the database numbers',
  ),
  codegenType: code(
    1_001_004_018,
    '表 {table} 不能导入：不支持字段 {detail} 的类型',
    'The table {table} cannot be imported: the type of its column {detail} is not known to forms and lists',
  ),
  codegenDigits: code(
    1_001_004_026,
    '表 {table} 不能导入：字段 {detail} 的位数不支持，numeric 最多 15 位数字，其中小数最多 6 位',
    'The table {table} cannot be imported: its column {detail} may hold more than 15 digits or 6 after the point',
  ),
  codegenGiven: code(
    1_001_004_024,
    '表 {table} 不能导入：字段 {detail} 不能为空也没有默认值，而表单不支持它的类型',
    'The table {table} cannot be imported: its column {detail} may not be null and has no default, and no form can give it',
  ),
  codegenName: code(
    1_001_004_019,
    '表 {table} 不能导入：{detail} 不能用作代码中的名称',
    'The table {table} cannot be imported: {detail} cannot be a name in code',
  ),
  codegenSecret: code(
    1_001_004_020,
    '表 {table} 不能导入：字段 {detail} 可能包含密钥',
    'The table {table} cannot be imported: its column {detail} may hold secrets',
  ),
  codegenSize: code(
    1_001_004_021,
    '表 {table} 不能导入：字段数量不合适（{detail}）',
    'The table {table} cannot be imported: too few columns or too many ({detail})',
  ),
  codegenRule: code(
    1_001_004_023,
    '表 {table} 不能导入：生成的代码不会检查约束 {detail}',
    'The table {table} cannot be imported: generated code would not know its rule {detail}',
  ),
  codegenImported: code(1_001_004_002, '表已经导入', 'This table has been imported already'),
  codegenGone: code(1_001_004_003, '表 {table} 不存在或不能导入', 'There is no table {table} that may be imported'),
  codegenMissing: code(1_001_004_004, '代码生成配置不存在', 'This table is not among the imported ones'),
  codegenColumns: code(
    1_001_004_005,
    '字段列表与已导入的不一致，请刷新后重试',
    'These are not the columns of the imported table; reload and try again',
  ),
  codegenSame: code(1_001_004_007, '表结构没有变化，不需要同步', 'The table has not changed; there is nothing to sync'),
  codegenStale: code(
    1_001_004_013,
    '表结构已经变化，请先同步：{columns}',
    'The table has changed in the database, sync it first: {columns}',
  ),
  codegenNeeds: code(
    1_001_004_014,
    '字段 {column} 不能为空也没有默认值，必须出现在表单中',
    'The column {column} may not be null and has no default: it must be in the form',
  ),
  codegenRefers: code(
    1_001_004_022,
    '字段 {column} 不能为空，而它引用的 {table} 无法在表单中选择：请设为 {table} 的子表，或允许为空',
    'The column {column} may not be null, and a form cannot choose a row of {table} for it: make this table one of rows of {table}, or let the column be null',
  ),
  codegenTaken: code(
    1_001_004_015,
    '{what} 已被使用，请修改实体名',
    '{what} is taken already: choose another entity name',
  ),
  codegenPlace: code(
    1_001_004_016,
    '在 {file} 中找不到要添加的位置',
    'The place for the new line was not found in {file}',
  ),
  codegenLarge: code(
    1_001_004_017,
    '{file} 超过 {max} 行，请减少列表、表单或查询中的字段',
    '{file} would have more than {max} lines: choose fewer columns',
  ),
  codegenJoin: code(
    1_001_004_010,
    '子表 {table} 的关联字段不存在',
    'The column that joins {table} to its main table is gone',
  ),
  codegenPart: code(
    1_001_004_011,
    '子表随主表 {table} 一起生成，请导入并生成主表',
    'This table is written with its main table {table}: import and generate that one',
  ),
} satisfies Record<string, Code>

/** Error codes of settings. */
export const configCodes = {
  configMissing: code(1_001_000_001, '参数配置不存在', 'The setting does not exist'),
  configKey: code(1_001_000_002, '参数配置 key 重复', 'A setting with this key exists already'),
  configBuiltIn: code(1_001_000_003, '不能删除类型为系统内置的参数配置', 'A built-in setting cannot be deleted'),
  configHidden: code(1_001_000_004, '获取参数配置失败，原因：不允许获取不可见配置', 'This setting is not visible'),
  configBuiltInKey: code(
    1_001_000_010,
    '系统内置参数的键名和值类型不能修改',
    'Key and type of a built-in setting cannot be changed',
  ),
  configSecurity: code(1_001_000_011, '该参数只能由安全管理员修改', 'Only a security administrator may change this'),
  configRegister: code(
    1_001_000_012,
    '开放注册需要先填写注册用户所属部门编码（register.dept-code），并开通短信或邮件',
    'Registration needs a department (register.dept-code), and mail or text messages, first',
  ),
  configRegisterOn: code(
    1_001_000_013,
    '已开放注册（register.enabled），须保留短信或邮件其中一种；请先关闭注册',
    'Registration is open (register.enabled) and needs mail or text messages: close it first',
  ),
  configShorter: code(
    1_001_000_014,
    '三员分立已开启：日志保留天数只能由安全管理员缩短',
    'Roles are separated: only a security administrator may shorten how long logs are kept',
  ),
} satisfies Record<string, Code>
