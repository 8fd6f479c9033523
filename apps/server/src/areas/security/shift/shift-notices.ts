import { escapeHtml } from '#areas/files/export/job'
import { publishSystemNotice } from '#areas/notices/system-notice'
import type { Db } from '#db/db'
import { unscoped } from '#db/scope'
import type { Row } from '#db/tables'
import { formatShiftTime, type StoredShift } from './shift-rows.ts'

/** A notice to one person; each line is a paragraph. */
type PersonNotice = { title: string; lines: readonly string[] }

/** Publishes to each person what is written for them; people without an account get nothing. */
const notifyEmployees = async (
  trx: Db,
  employeeIds: readonly number[],
  write: (employeeId: number) => PersonNotice,
): Promise<void> => {
  const people = await unscoped(trx, 'people of shifts that the caller may change')
    .selectFrom('employee')
    .select(['id', 'userId', 'deptId'])
    .where('id', 'in', [...new Set(employeeIds)])
    .where('userId', 'is not', null)
    .orderBy('id')
    .execute()
  for (const { id, userId, deptId } of people) {
    const { title, lines } = write(id)
    const content = lines.map((line) => `<p>${escapeHtml(line)}</p>`).join('')
    await publishSystemNotice(trx, { deptId }, { title, content, publisherName: null, userIds: userId ? [userId] : [] })
  }
}

type Placed = Pick<StoredShift, 'postId' | 'fromAt' | 'toAt'>

/** Post and time of shifts, as a notice names them. */
const describeShifts = async (trx: Db, shifts: readonly Placed[]): Promise<string[]> => {
  const posts = await unscoped(trx, 'posts of shifts that were locked in sight')
    .selectFrom('securityPost')
    .select(['id', 'name'])
    .where(
      'id',
      'in',
      shifts.map(({ postId }) => postId),
    )
    .execute()
  const names = new Map(posts.map(({ id, name }) => [id, name]))
  return shifts.map(
    ({ postId, fromAt, toAt }) => `${names.get(postId) ?? ''} ${formatShiftTime(fromAt)} – ${formatShiftTime(toAt)}`,
  )
}

/** Notifies people of their new shifts. */
export const notifyPublished = async (trx: Db, published: readonly StoredShift[]): Promise<void> => {
  const texts = await describeShifts(trx, published)
  const linesOf = Map.groupBy(texts, (_text, at) => published[at]?.employeeId ?? 0)
  await notifyEmployees(trx, [...linesOf.keys()], (employeeId) => {
    const lines = linesOf.get(employeeId) ?? []
    return {
      title: `排班已发布：${lines.length} 个班次`,
      lines: [...lines, `Your shifts were published: ${lines.length}`],
    }
  })
}

type Told = { zh: string; en: string }

const notifyOf = async (trx: Db, employeeId: number, { zh, en }: Told, text: string): Promise<void> =>
  notifyEmployees(trx, [employeeId], () => ({ title: zh, lines: [`${zh}：${text}`, `${en}: ${text}`] }))

const cancelled = { zh: '班次已取消', en: 'Your shift was cancelled' }
const assigned = { zh: '新的班次', en: 'You have a new shift' }
const moved = { zh: '班次有改动', en: 'Your shift was changed' }

/** Notifies who had a published shift, and who has it now; without `after` it was deleted. */
export const notifyChangedShift = async (trx: Db, before: StoredShift, after?: StoredShift): Promise<void> => {
  if (before.publishedAt === null) return
  const [was = '', is = ''] = await describeShifts(trx, after ? [before, after] : [before])
  if (after?.employeeId !== before.employeeId) {
    await notifyOf(trx, before.employeeId, cancelled, was)
    if (after) await notifyOf(trx, after.employeeId, assigned, is)
    return
  }
  if (is !== was) await notifyOf(trx, after.employeeId, moved, `${was} → ${is}`)
}

/** Notifies a person whose absence somebody else has recorded. */
export const notifyExcused = async (trx: Db, shift: StoredShift, reason: string): Promise<void> => {
  const [text = ''] = await describeShifts(trx, [shift])
  await notifyOf(trx, shift.employeeId, { zh: '已登记请假', en: 'Your absence was recorded' }, `${text} · ${reason}`)
}

const swapWords = {
  ASKED: { zh: '换班申请', en: 'A colleague asks to swap shifts' },
  AGREED: { zh: '对方同意换班', en: 'Your swap was agreed' },
  REFUSED: { zh: '对方不同意换班', en: 'Your swap was refused' },
  WITHDRAWN: { zh: '换班申请已撤回', en: 'A swap was withdrawn' },
} as const satisfies Record<Row<'shiftSwap'>['state'], Told>

/** Notifies the asked person of a request and its withdrawal, and who asked of the answer. */
export const notifySwap = async (
  trx: Db,
  { state, asked, askedBy, note }: Row<'shiftSwap'>,
  { own, other }: { own: Placed; other: Placed },
): Promise<void> => {
  const [given, wanted] = await describeShifts(trx, [own, other])
  const isAnswer = state === 'AGREED' || state === 'REFUSED'
  const text = `${given} ⇄ ${wanted}${note ? ` · ${note}` : ''}`
  await notifyOf(trx, isAnswer ? askedBy : asked, swapWords[state], text)
}
