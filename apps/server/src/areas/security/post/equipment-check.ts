import { type Equipment, securityPosts } from '@tocsin/contract/security/post'
import { CheckIn } from '@tocsin/contract/security/shift'
import { lockRow, updateRow } from '#areas/audit/edit-row'
import { fieldError } from '#areas/audit/edit-transaction'
import { escapeHtml } from '#areas/files/export/job'
import { publishSystemNotice } from '#areas/notices/system-notice'
import type { Db } from '#db/db'
import type { Row } from '#db/tables'
import type { Caller } from '#http/route'
import { listDutyReaders } from '../duty-readers.ts'
import { postTable, toStoredEquipment } from './post-edit.ts'

type Counted = NonNullable<CheckIn['equipment']>

const countMissing = (list: readonly Equipment[]): number =>
  list.reduce((sum, { required, present }) => sum + Math.max(required - present, 0), 0)

/** Notifies those who keep the post of equipment that was there before. */
const notifyMissing = async (trx: Db, post: Row<'securityPost'>, list: readonly Equipment[]): Promise<void> => {
  if (post.schoolId === null || countMissing(list) <= countMissing(post.equipment)) return
  const readers = await listDutyReaders(trx, post.schoolId, securityPosts.update.permission)
  if (!readers || readers.userIds.length === 0) return
  const lines = list
    .filter(({ required, present }) => present < required)
    .map(({ name, required, present }) => `<p>${escapeHtml(name)} ${present}/${required}</p>`)
  const notice = {
    title: `装备缺少：${post.name}`,
    content: `<p>${escapeHtml(post.name)} 上岗检查发现装备缺少。</p><p>Equipment is missing at ${escapeHtml(post.name)}.</p>${lines.join('')}`,
    publisherName: null,
    userIds: readers.userIds,
  }
  await publishSystemNotice(trx, { deptId: readers.deptId }, notice)
}

/** Takes over what a person counted at the post. @returns the equipment as it is now */
export const recordEquipment = async (
  trx: Db,
  caller: Caller,
  postId: number,
  counted: Counted,
): Promise<Equipment[]> => {
  const before = await lockRow(trx, caller, postTable, { id: postId })
  const known = new Set(before.equipment.map(({ name }) => name))
  if (counted.some(({ name }) => !known.has(name))) throw fieldError(CheckIn, 'equipment', 'choice')
  const presentOf = new Map(counted.map(({ name, present }) => [name, present]))
  const list = before.equipment.map((item) => ({ ...item, present: presentOf.get(item.name) ?? item.present }))
  if (list.every(({ present }, at) => present === before.equipment[at]?.present)) return list
  await updateRow(trx, caller, postTable, {
    before,
    changes: { equipment: toStoredEquipment(list) },
    verb: 'check-equipment',
  })
  await notifyMissing(trx, before, list)
  return list
}
