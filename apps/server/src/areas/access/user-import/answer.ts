import type { UserImportAnswer } from '@tocsin/contract/access/user-import'
import type { ImportRow } from '@tocsin/contract/files/import'
import { escapeHtml } from '#areas/files/export/job'
import type { ImportState } from '#areas/files/import/start'

/** The state of an import in the words of both APIs (wire 1.2). */
export const toUserImportAnswer = (state: ImportState, dryRun = false): UserImportAnswer => {
  const { job, rows, notes, isOver } = state
  const names = (verdict: string) =>
    rows.filter((row) => row.verdict === verdict).map(({ cells }) => cells['username'] ?? '')
  const failed = rows.filter(({ verdict }) => verdict === 'BAD')
  const reasonsByName = failed.map(({ cells, line, reasons }): [string, string] => [
    cells['username'] ?? `第${line}行`,
    reasons.map(({ message }) => message).join('；'),
  ])
  return {
    id: job.id,
    createUsernames: names('CREATE'),
    updateUsernames: names('UPDATE'),
    failureUsernames: Object.fromEntries(reasonsByName),
    rows: rows.map(({ line, cells, verdict, reasons }) => ({
      row: line - (notes?.headingLine ?? 1),
      username: cells['username'] ?? null,
      status: verdict,
      reasons: reasons.map(({ message }) => message),
    })),
    notes,
    message: dryRun ? '正在校验，完成后请查看各行结果再提交' : toUserImportMessage(state),
    ended: isOver,
  }
}

/** The columns that were not read and the defaults that were filled in, as a part of the message. */
const noteLines = ({ notes }: ImportState): string[] => [
  ...(notes && notes.unreadColumns.length > 0 ? [`未读取的列：${escapeHtml(notes.unreadColumns.join('、'))}`] : []),
  ...(notes?.defaults ?? []).map(({ title, value, rows }) => `${rows}行未填写${title}，已填入：${escapeHtml(value)}`),
]

/** The message of the `/api/v1` API, which is markup: rows count from the first below the headings. */
export const toUserImportMessage = (state: ImportState): string => {
  const { job, rows, notes, isOver } = state
  if (!isOver) return '数据较多，已转入后台导入，请在任务列表中查看结果'
  const { counts } = job
  const good = (counts['created'] ?? counts['create'] ?? 0) + (counts['updated'] ?? counts['update'] ?? 0)
  const bad = rows.filter(({ verdict }) => verdict === 'BAD')
  const why = (reasons: ImportRow['reasons']) => escapeHtml(reasons.map(({ message }) => message).join('，'))
  const lines = bad.map(({ line, reasons }) => `第${line - (notes?.headingLine ?? 1)}行${why(reasons)}`)
  return [`成功${good}条，失败${counts['bad'] ?? 0}条`, ...lines, ...noteLines(state)].join('；<br/>')
}
