import { codes } from '@tocsin/contract/codes'
import { type EnumLabels, labelIn, type Lang, lookupLabel } from '@tocsin/contract/field'
import { userSheetFields, UserSheetRow } from '@tocsin/contract/access/user-import'
import { sql } from 'kysely'
import type { Db } from '#db/db'
import { unscoped } from '#db/scope'
import type { ExportCell } from '#http/csv'
import { BusinessError } from '#http/business-error'
import type { Actor, FileResponse } from '#http/route'
import { localizeColumns, type SheetColumn } from '#spreadsheet/column'
import { XLSX, createWorkbook, xlsxStream } from '#spreadsheet/xlsx'
import { ownJob } from '#areas/files/export/job'
import { canSeeDept } from '../role/grant-guards.ts'
import { type UserLabels, userLabels } from '../user/user-labels.ts'
import { activationCode, activationHash } from '../verification-code/activation.ts'
import { IMPORT_JOB, isChecked } from './import-data.ts'

/** Of pages, files and columns that no field of the contract names. */
const names = {
  users: ['用户', 'Users'],
  depts: ['部门', 'Departments'],
  roles: ['角色', 'Roles'],
  template: ['用户导入模板', 'Import of users'],
  bad: ['导入错误行', 'Import, bad rows'],
  badPage: ['错误行', 'Bad rows'],
  result: ['导入结果', 'Result of the import'],
} as const satisfies EnumLabels<string>
const nameIn = (lang: Lang, name: keyof typeof names): string => lookupLabel(names, name, lang)

const headsIn = (lang: Lang): string[] => userSheetFields.map((field) => labelIn(lang, UserSheetRow.shape[field]))
const at = (field: (typeof userSheetFields)[number]) => userSheetFields.indexOf(field)
const LISTED = 5000

const samples = (deptId: number, { sex, status }: UserLabels): ExportCell[][] => [
  ['zhang.san', '张三', deptId, 'zhangsan@example.com', '13800000001', sex.MALE, status.on, '', ''],
  ['li.si', '李四', deptId, 'lisi@example.com', '13800000002', sex.FEMALE, status.on, '', ''],
]

const listHeads = {
  depts: { 'zh-cn': ['部门编号', '部门名称', '部门编码'], en: ['Department id', 'Department', 'Department code'] },
  roles: { 'zh-cn': ['角色标识', '角色名称'], en: ['Role code', 'Role name'] },
}

/** The columns with two samples to write over; beside them what may be put into 部门编号 and 角色. */
export const importTemplate = async (db: Db, actor: Actor, lang: Lang = 'zh-cn'): Promise<FileResponse> => {
  const words = await userLabels(db, lang)
  const { sex, status } = words
  const depts = await db
    .selectFrom('dept')
    .select(['id', 'name', 'code'])
    .where('enabled', '=', true)
    .orderBy('id')
    .execute()
  const roles = await db
    .selectFrom('role')
    .select(['code', 'name'])
    .where('enabled', '=', true)
    .orderBy('sort')
    .execute()
  const seen = depts.filter(({ id }) => canSeeDept(actor, id)).slice(0, LISTED)
  const choices = new Map([
    [at('sex'), [sex.UNKNOWN, sex.MALE, sex.FEMALE]],
    [at('status'), [status.on, status.off]],
  ])
  const rows = samples(actor.deptId, words)
  const stream = await createWorkbook([
    { name: nameIn(lang, 'users'), heads: headsIn(lang), rows, choices },
    {
      name: nameIn(lang, 'depts'),
      heads: listHeads.depts[lang],
      rows: seen.map(({ id, name, code }) => [id, name, code]),
    },
    { name: nameIn(lang, 'roles'), heads: listHeads.roles[lang], rows: roles.map(({ code, name }) => [code, name]) },
  ])
  return { name: `${nameIn(lang, 'template')}.xlsx`, type: XLSX, stream }
}

type Line = {
  line: number
  cells: Record<string, string>
  verdict: 'CREATE' | 'UPDATE' | 'SAME' | 'BAD'
  reasons: { message: string; messageEn: string }[]
  done: boolean
  codeHash: Buffer | null
}

const linesOf = (db: Db, jobId: number) =>
  unscoped(db, 'the lines of one’s own import')
    .selectFrom('importRow')
    // A code that was used, or replaced by a later one, is no code any more.
    .leftJoin('activationCode as code', (on) =>
      on
        .onRef('code.userId', '=', 'importRow.userId')
        .on('code.usedAt', 'is', null)
        .on('code.expiresAt', '>', sql<Date>`now()`),
    )
    .select(['line', 'cells', 'verdict', 'reasons', 'done', 'code.codeHash'])
    .where('jobId', '=', jobId)

const PAGE = 1000

/** By line, each page a query of its own, so that a slow download holds no connection. */
async function* batches(db: Db, jobId: number, onlyBad: boolean): AsyncGenerator<Line[]> {
  for (let after = 0; ; ) {
    const rows = await linesOf(db, jobId)
      .where('line', '>', after)
      .$if(onlyBad, (q) => q.where('verdict', '=', 'BAD'))
      .orderBy('line')
      .limit(PAGE)
      .execute()
    const last = rows.at(-1)
    if (!last) return
    after = last.line
    yield rows
  }
}

const written: SheetColumn<Line>[] = userSheetFields.map((field) => ({
  title: labelIn('zh-cn', UserSheetRow.shape[field]),
  titleEn: labelIn('en', UserSheetRow.shape[field]),
  width: 18,
  cell: ({ cells }) => cells[field] ?? null,
}))
const reasonIn = (lang: Lang): SheetColumn<Line> => ({
  title: '错误原因',
  titleEn: 'Reason',
  width: 50,
  cell: ({ reasons }) =>
    lang === 'en'
      ? reasons.map(({ messageEn }) => messageEn).join('; ')
      : reasons.map(({ message }) => message).join('；'),
})

/** An own import that was checked. */
export const getOwnImport = async (db: Db, actor: Actor, id: number) => {
  const job = await ownJob(db, actor, id)
  if (job.name !== IMPORT_JOB) throw new BusinessError(codes.jobMissing)
  if (!isChecked(job.counts)) throw new BusinessError(codes.importState)
  return job
}

type AskedSheet = { id: number; lang?: Lang | undefined }

/** With the columns of the template: corrected, it can be sent again as it is. */
export const badRowsSheet = async (db: Db, actor: Actor, { id, lang = 'zh-cn' }: AskedSheet): Promise<FileResponse> => {
  await getOwnImport(db, actor, id)
  const columns = localizeColumns(lang, [...written, reasonIn(lang)])
  const stream = xlsxStream(nameIn(lang, 'badPage'), columns, batches(db, id, true))
  return { name: `${nameIn(lang, 'bad')}.xlsx`, type: XLSX, stream }
}

const outcomes = {
  BAD: ['失败', 'Failed'],
  SAME: ['无变化', 'No change'],
  LEFT: ['未导入', 'Not imported'],
  CREATE: ['已新增', 'Created'],
  UPDATE: ['已更新', 'Updated'],
} as const satisfies EnumLabels<string>
const outcomeIn =
  (lang: Lang) =>
  ({ verdict, done }: Line): string =>
    lookupLabel(outcomes, verdict === 'BAD' || verdict === 'SAME' || done ? verdict : 'LEFT', lang)

/** Every line with what became of it; a code only where it is the one that counts. */
export const resultSheet = async (db: Db, actor: Actor, { id, lang = 'zh-cn' }: AskedSheet): Promise<FileResponse> => {
  await getOwnImport(db, actor, id)
  const codeOf = ({ line, verdict, done, codeHash }: Line): string | null => {
    if (verdict !== 'CREATE' || !done || !codeHash) return null
    const code = activationCode(id, line)
    return activationHash(code).equals(codeHash) ? code : null
  }
  const columns = localizeColumns(lang, [
    { title: '结果', titleEn: 'Outcome', width: 12, cell: outcomeIn(lang) },
    { title: '激活码', titleEn: 'Activation code', width: 22, cell: codeOf },
    ...written,
    reasonIn(lang),
  ])
  const name = nameIn(lang, 'result')
  return { name: `${name}.xlsx`, type: XLSX, stream: xlsxStream(name, columns, batches(db, id, false)) }
}
