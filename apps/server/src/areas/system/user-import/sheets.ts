import { codes } from '@tocsin/contract/codes'
import { labelOf } from '@tocsin/contract/field'
import { userSheetFields, UserSheetRow } from '@tocsin/contract/system/user-import'
import { sql } from 'kysely'
import type { Db } from '#db/db'
import { everything } from '#db/scope'
import type { Cell } from '#http/csv'
import { Refusal } from '#http/refusal'
import type { Actor, FileAnswer } from '#http/route'
import type { SheetColumn } from '#sheet/column'
import { XLSX, xlsxPages, xlsxStream } from '#sheet/xlsx'
import { ownJob } from '../job/job.ts'
import { seesDept } from '../role/rights.ts'
import { userWords } from '../user/words.ts'
import { activationCode, activationHash } from './activation.ts'
import { IMPORT_JOB, isChecked } from './import-data.ts'

const heads = userSheetFields.map((field) => labelOf(UserSheetRow.shape[field])?.title ?? '')
const at = (field: (typeof userSheetFields)[number]) => userSheetFields.indexOf(field)
const LISTED = 5000

const samples = (deptId: number, sexes: { male: string; female: string }, on: string): Cell[][] => [
  ['zhang.san', '张三', deptId, 'zhangsan@example.com', '13800000001', sexes.male, on, '', ''],
  ['li.si', '李四', deptId, 'lisi@example.com', '13800000002', sexes.female, on, '', ''],
]

/** The columns with two samples to write over; beside them what may be put into 部门编号 and 角色. */
export const importTemplate = async (db: Db, actor: Actor): Promise<FileAnswer> => {
  const { sex, status } = await userWords(db)
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
  const seen = depts.filter(({ id }) => seesDept(actor, id)).slice(0, LISTED)
  const choices = new Map([
    [at('sex'), [sex.UNKNOWN, sex.MALE, sex.FEMALE]],
    [at('status'), [status.on, status.off]],
  ])
  const rows = samples(actor.deptId, { male: sex.MALE, female: sex.FEMALE }, status.on)
  const stream = await xlsxPages([
    { name: '用户', heads, rows, choices },
    {
      name: '部门',
      heads: ['部门编号', '部门名称', '部门编码'],
      rows: seen.map(({ id, name, code }) => [id, name, code]),
    },
    { name: '角色', heads: ['角色标识', '角色名称'], rows: roles.map(({ code, name }) => [code, name]) },
  ])
  return { name: '用户导入模板.xlsx', type: XLSX, stream }
}

type Line = {
  line: number
  cells: Record<string, string>
  verdict: 'CREATE' | 'UPDATE' | 'SAME' | 'BAD'
  reasons: { message: string }[]
  done: boolean
  codeHash: Buffer | null
}

const linesOf = (db: Db, jobId: number) =>
  everything(db, 'the lines of one’s own import')
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

const written: SheetColumn<Line>[] = userSheetFields.map((field, index) => ({
  title: heads[index] ?? '',
  width: 18,
  cell: ({ cells }) => cells[field] ?? null,
}))
const reason: SheetColumn<Line> = {
  title: '错误原因',
  width: 50,
  cell: ({ reasons }) => reasons.map(({ message }) => message).join('；'),
}

/** An own import that was checked. */
export const ownImport = async (db: Db, actor: Actor, id: number) => {
  const job = await ownJob(db, actor, id)
  if (job.name !== IMPORT_JOB) throw new Refusal(codes.jobMissing)
  if (!isChecked(job.counts)) throw new Refusal(codes.importState)
  return job
}

/** With the columns of the template: corrected, it can be sent again as it is. */
export const badRowsSheet = async (db: Db, actor: Actor, id: number): Promise<FileAnswer> => {
  await ownImport(db, actor, id)
  const stream = xlsxStream('错误行', [...written, reason], batches(db, id, true))
  return { name: '导入错误行.xlsx', type: XLSX, stream }
}

const outcome = ({ verdict, done }: Line): string => {
  if (verdict === 'BAD') return '失败'
  if (verdict === 'SAME') return '无变化'
  if (!done) return '未导入'
  return verdict === 'CREATE' ? '已新增' : '已更新'
}

/** Every line with what became of it; a code only where it is the one that counts. */
export const resultSheet = async (db: Db, actor: Actor, id: number): Promise<FileAnswer> => {
  await ownImport(db, actor, id)
  const codeOf = ({ line, verdict, done, codeHash }: Line): string | null => {
    if (verdict !== 'CREATE' || !done || !codeHash) return null
    const code = activationCode(id, line)
    return activationHash(code).equals(codeHash) ? code : null
  }
  const columns: SheetColumn<Line>[] = [
    { title: '结果', width: 10, cell: outcome },
    { title: '激活码', width: 22, cell: codeOf },
    ...written,
    reason,
  ]
  return { name: '导入结果.xlsx', type: XLSX, stream: xlsxStream('导入结果', columns, batches(db, id, false)) }
}
