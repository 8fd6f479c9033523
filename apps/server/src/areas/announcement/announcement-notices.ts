import { announcementMachine, type AnnouncementVerb } from '@tocsin/contract/announcement/announcement-machine'
import { sql } from 'kysely'
import { escapeHtml } from '#areas/files/export/job'
import { publishSystemNotice } from '#areas/notices/system-notice'
import type { Db } from '#db/db'
import { unscoped } from '#db/scope'
import type { StoredAnnouncement } from './announcement-rows.ts'

/** With more receivers nobody would feel responsible. */
const MAX_REVIEWERS = 50

/** Who wrote or submitted the text under review. */
const listWriters = ({ authorId, textBy, submittedBy, writerIds }: StoredAnnouncement): number[] => [
  ...new Set([authorId, textBy, ...writerIds, ...(submittedBy === null ? [] : [submittedBy])]),
]

/** Others who may review, of the department of the announcement, else of the nearest one above that has some. */
const listReviewers = async (trx: Db, row: StoredAnnouncement): Promise<number[]> => {
  const { rows } = await sql<{ id: number }>`
    with recursive up as (
      select id, parent_id, 0 as depth from dept where id = ${row.deptId}
      union all select d.id, d.parent_id, up.depth + 1 from dept d join up on d.id = up.parent_id
    ), reviewer as (
      select u.id, up.depth from users u join up on up.id = u.dept_id
      where u.enabled and u.id <> all (${listWriters(row)}::bigint[]) and exists (
        select from user_role ur
        join role r on r.id = ur.role_id and r.enabled
        join role_menu rm on rm.role_id = r.id
        join menu m on m.id = rm.menu_id and m.enabled
        where ur.user_id = u.id and m.permission = ${announcementMachine.approve.permission})
    )
    select id from reviewer where depth = (select min(depth) from reviewer)
    order by id limit ${MAX_REVIEWERS}`.execute(unscoped(trx, 'who must review an announcement is told of it'))
  return rows.map(({ id }) => id)
}

type Told = { to: 'reviewers' | 'writers'; zh: string; en: string }

const tellings: Partial<Record<AnnouncementVerb, Told>> = {
  submit: { to: 'reviewers', zh: '公告待审核', en: 'Announcement for review' },
  submitRevision: { to: 'reviewers', zh: '公告修订待审核', en: 'Revision of an announcement for review' },
  approve: { to: 'writers', zh: '公告已通过审核', en: 'Announcement approved' },
  return: { to: 'writers', zh: '公告被退回修改', en: 'Announcement sent back' },
  approveRevision: { to: 'writers', zh: '公告修订已发布', en: 'Revision published' },
  returnRevision: { to: 'writers', zh: '公告修订被退回', en: 'Revision sent back' },
  withdraw: { to: 'writers', zh: '公告已撤回', en: 'Announcement withdrawn' },
}

/** Notifies those who must act next, or whose text it is, of a verb of somebody else. */
export const notifyOfVerb = async (
  trx: Db,
  row: StoredAnnouncement,
  { verb, userId, text }: { verb: AnnouncementVerb; userId: number; text: string | undefined },
): Promise<void> => {
  const value = tellings[verb]
  if (!value) return
  const people = value.to === 'reviewers' ? await listReviewers(trx, row) : listWriters(row)
  const userIds = people.filter((id) => id !== userId)
  if (userIds.length === 0) return
  const description = escapeHtml(row.title + (text ? ` · ${text}` : ''))
  const content = `<p>${value.zh}：${description}</p><p>${value.en}: ${description}</p>`
  const notice = { title: `${value.zh}：${row.title}`, content, publisherName: null, userIds }
  await publishSystemNotice(trx, { deptId: row.deptId }, notice)
}
