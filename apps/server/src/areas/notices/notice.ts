import { codes } from '@tocsin/contract/codes'
import { type Notice, type NoticeRow, notices } from '@tocsin/contract/notices/notice'
import { sql } from 'kysely'
import type { Db } from '#db/db'
import type { Row } from '#db/tables'
import { BusinessError } from '#http/business-error'
import { type Actor, type Caller, hasPermission } from '#http/route'
import { type Changes, editRow, type EditableTable, lockRow, recordChange, updateRow } from '#areas/audit/edit-row'
import { runEdit } from '#areas/audit/edit-transaction'
import type { PartsChange, WrittenChange } from '#areas/audit/entity/declaration'
import { createEntity } from '#areas/audit/entity/entity'
import { cleanContent, setImageReferences, withImageLinks } from './content.ts'
import {
  changeRecipients,
  checkRecipients,
  loadRecipients,
  notifyRecipients,
  type Recipients,
  splitVisibleRecipients,
} from './recipients.ts'

type Kept = Row<'notice'>
type Changed = PartsChange<typeof notices, 'notice'>

const shown = ({ deptId: _dept, jobId: _job, publisherId: _by, content: _content, ...row }: Kept): NoticeRow => ({
  ...row,
  status: row.state === 'PUBLISHED',
})

const detail = async (db: Db, actor: Actor, row: Kept): Promise<Notice> => {
  const { seen } = await splitVisibleRecipients(db, actor, await loadRecipients(db, row))
  return { ...shown(row), content: withImageLinks(row.content, actor), ...seen }
}

const checkUnpublished = ({ state }: Kept): void => {
  if (state === 'PUBLISHED') throw new BusinessError(codes.noticeState)
}

const saveParts = async (trx: Db, { row, before, changes, caller }: Changed): Promise<void> => {
  await changeRecipients(trx, caller.actor, { row, before: before as Recipients | undefined, changes })
  const of = { subject: 'notice', subjectId: row.id } as const
  if (changes.content !== undefined) await setImageReferences(trx, caller.actor, of, row.content)
}

/** The time of the transaction, as the database has it. */
const transactionTime = async (trx: Db): Promise<Date | null> => {
  const { rows } = await sql<{ at: Date }>`select now() as at`.execute(trx)
  return rows[0]?.at ?? null
}

type Turn = (trx: Db, before: Kept, caller: Caller) => Promise<Changes<'notice'>>

/** Receivers are checked for the publisher, not for the writer. Revocation resets the read marks. */
const publishing: Turn = async (trx, before, caller) => {
  checkUnpublished(before)
  await checkRecipients(trx, caller.actor, await loadRecipients(trx, before))
  await trx.deleteFrom('noticeReceipt').where('noticeId', '=', before.id).execute()
  await notifyRecipients(trx, 'notice.published', before)
  const { userId: publisherId, nickname: publisherName } = caller.actor
  return { state: 'PUBLISHED', publisherId, publisherName, publishedAt: await transactionTime(trx), revokedAt: null }
}

const revoking: Turn = async (trx, before) => {
  if (before.state !== 'PUBLISHED') throw new BusinessError(codes.noticeState)
  await notifyRecipients(trx, 'notice.revoked', before)
  return { state: 'REVOKED', revokedAt: await transactionTime(trx) }
}

const turns = { publish: publishing, revoke: revoking }

/** Publishes or revokes with another change of the notice, which needed another permission. */
const turn = async (trx: Db, before: Kept, caller: Caller, verb: keyof typeof turns): Promise<Kept> => {
  if (!hasPermission(caller.actor)(`system:notice:${verb}`)) throw new BusinessError(codes.forbidden)
  return updateRow(trx, caller, editable(), { before, changes: await turns[verb](trx, before, caller), verb })
}

const saved = async (
  trx: Db,
  { verb, before, after, changes, caller }: WrittenChange<typeof notices, 'notice'>,
): Promise<void> => {
  if (after && changes.status) await turn(trx, after, caller, 'publish')
  const of = { subject: 'notice', subjectId: before?.id ?? 0 } as const
  if (verb === 'delete') await setImageReferences(trx, caller.actor, of, null)
}

/** Notices that users write; one about a job belongs to its receiver alone, whatever else a user sees. */
export const noticeEntity = createEntity({
  of: notices,
  table: 'notice',
  missing: codes.noticeMissing,
  nameColumn: 'title',
  order: ['-id'],
  rows: (on) => on('jobId', 'is', null),
  filters: {
    status: (on, published) => on('state', published ? '=' : '!=', 'PUBLISHED'),
  },
  shown,
  detail,
  parts: { load: loadRecipients, save: saveParts },
  begin: async (trx, { before, changes, caller }): Promise<Kept> =>
    changes.status === false && before.state === 'PUBLISHED' ? turn(trx, before, caller, 'revoke') : before,
  check: (_trx, { before }) => before && checkUnpublished(before),
  toColumns: ({ status: _status, deptIds: _deptIds, userIds: _userIds, content, ...columns }, { before }) => ({
    ...(!before && { target: 'ALL' }),
    ...columns,
    ...(content !== undefined && { content: cleanContent(content) }),
  }),
  checkDeletion: (_trx, row) => checkUnpublished(row),
  saved,
})

const editable = (): EditableTable<'notice'> => noticeEntity.editable

type Turned = { id: number; version?: number | undefined }

export const turnNotice = (db: Db, verb: keyof typeof turns, of: Turned, caller: Caller): Promise<true> =>
  editRow(db, caller, editable(), { ...of, verb, change: (trx, before) => turns[verb](trx, before, caller) })

/** Publishes a draft, and pushes a published notice again: the screens of its receivers show it once more. */
export const pushNotice = async (db: Db, id: number, caller: Caller): Promise<true> => {
  const { state, version } = await noticeEntity.get(db, caller.actor, id)
  if (state !== 'PUBLISHED') return turnNotice(db, 'publish', { id, version }, caller)
  return runEdit(db, 'all', async (trx): Promise<true> => {
    const row = await lockRow(trx, caller, editable(), { id })
    if (row.state !== 'PUBLISHED') throw new BusinessError(codes.noticeState)
    const recipients = await loadRecipients(trx, row)
    await checkRecipients(trx, caller.actor, recipients)
    await notifyRecipients(trx, 'notice.published', row)
    const same = { ...row, ...recipients }
    const change = { action: notices.push.permission, subject: 'notice', id, before: same, after: same }
    await recordChange(trx, caller, change)
    return true
  })
}
