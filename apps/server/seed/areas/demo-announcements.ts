import type { AnnouncementLogVerb } from '@tocsin/contract/announcement/announcement'
import type { AnnouncementState } from '@tocsin/contract/announcement/announcement-machine'
import { sql } from 'kysely'
import { scheduleExpiry, schedulePublication } from '#areas/announcement/publication'
import { countAudience } from '#areas/announcement/scope'
import type { Db } from '#db/db'
import { unscoped } from '#db/scope'
import { deptByCode } from '../fixtures.ts'
import { type AnnouncementSeed, announcementSeeds } from './demo-announcement-texts.ts'

type People = ReadonlyMap<string, { id: number; deptId: number }>
const daysFromNow = (days: number) => sql<Date>`now() + make_interval(secs => ${days * 86_400})`

const idsOf = async (trx: Db, table: 'school' | 'role', codes: readonly string[]): Promise<number[]> => {
  if (codes.length === 0) return []
  const { rows } = await sql<{ id: number }>`
    select id from ${sql.table(table)} where code = any(${codes}) order by id`.execute(trx)
  return rows.map(({ id }) => id)
}

const insertAnnouncement = async (trx: Db, people: People, seed: AnnouncementSeed) => {
  const { title, author, reviewer, dept, state, pinned = false, needsSign = true, editions } = seed
  const by = people.get(author)
  if (!by) throw new Error(`no account ${author}`)
  const reviewerId = people.get(reviewer ?? '')?.id ?? null
  const [first] = editions
  const isPublished = !['DRAFT', 'PENDING_REVIEW', 'SCHEDULED'].includes(state)
  const scope = {
    target: 'SCOPE' as const,
    deptIds: dept ? [await deptByCode(trx, dept)] : [],
    schoolIds: await idsOf(trx, 'school', seed.schools ?? []),
    roleIds: await idsOf(trx, 'role', seed.roles ?? []),
  }
  return unscoped(trx, 'the seed acts for nobody in particular')
    .insertInto('announcement')
    .values({
      title,
      content: editions.at(-1)?.content ?? '',
      pinned,
      needsSign,
      ...scope,
      deptId: by.deptId,
      authorId: by.id,
      textBy: by.id,
      submittedBy: state === 'DRAFT' ? null : by.id,
      reviewerId: seed.revision ? null : reviewerId,
      state,
      publishAt: seed.publishIn === undefined ? null : daysFromNow(seed.publishIn),
      publishedAt: isPublished ? daysFromNow(-(first?.daysAgo ?? 0)) : null,
      validUntil: seed.validFor === undefined ? null : daysFromNow(seed.validFor),
      edition: isPublished ? editions.length : 0,
      audience: (await countAudience(trx, scope)).people,
      withdrawReason: seed.reason ?? null,
      ...(seed.revision && {
        revisionState: 'PENDING_REVIEW',
        revisionTitle: title,
        revisionContent: seed.revision,
        revisionPinned: pinned,
        revisionValidUntil: daysFromNow(20),
      }),
      creator: by.id,
      createTime: daysFromNow(-(first?.daysAgo ?? 0) - 0.5),
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

type Step = readonly [verb: AnnouncementLogVerb, who: string | undefined, toState: AnnouncementState, daysAgo: number]

/** The timeline that leads to the state of the seed. */
const stepsOf = ({
  author,
  reviewer,
  state,
  editions,
  revision,
  publishIn,
  validFor = 0,
}: AnnouncementSeed): Step[] => {
  const first = editions[0]?.daysAgo ?? 0
  const steps: Step[] = [['create', author, 'DRAFT', first + 0.5]]
  if (state === 'DRAFT') return steps
  steps.push(['submit', author, 'PENDING_REVIEW', first + 0.4])
  if (reviewer) steps.push(['approve', reviewer, publishIn === undefined ? 'PUBLISHED' : 'SCHEDULED', first])
  for (const { daysAgo } of editions.slice(1))
    steps.push(
      ['revise', author, 'PUBLISHED', daysAgo + 0.3],
      ['submitRevision', author, 'PUBLISHED', daysAgo + 0.2],
      ['approveRevision', reviewer, 'PUBLISHED', daysAgo],
    )
  if (revision) steps.push(['revise', author, 'PUBLISHED', 0.4], ['submitRevision', author, 'PUBLISHED', 0.3])
  if (state === 'WITHDRAWN') steps.push(['withdraw', reviewer, state, first - 1])
  if (state === 'EXPIRED') steps.push(['expire', undefined, state, -validFor])
  return steps
}

const buildAnnouncement = async (trx: Db, people: People, seed: AnnouncementSeed): Promise<void> => {
  const row = await insertAnnouncement(trx, people, seed)
  const idOf = (username: string | undefined) => people.get(username ?? '')?.id ?? null
  const { id: announcementId, textBy } = row
  if (row.edition > 0)
    await trx
      .insertInto('announcementEdition')
      .values(
        seed.editions.map(({ content, daysAgo }, at) => ({
          announcementId,
          edition: at + 1,
          title: seed.title,
          content,
          publishedAt: daysFromNow(-daysAgo),
          textBy,
          reviewedBy: idOf(seed.reviewer) ?? 0,
        })),
      )
      .execute()
  for (const [username, edition, daysAgo, isSigned = false] of seed.receipts ?? [])
    await trx
      .insertInto('announcementReceipt')
      .values({
        announcementId,
        userId: idOf(username) ?? 0,
        edition,
        readAt: daysFromNow(-daysAgo),
        signedAt: isSigned ? daysFromNow(-daysAgo) : null,
      })
      .execute()
  for (const [verb, username, toState, daysAgo] of stepsOf(seed))
    await trx
      .insertInto('announcementLog')
      .values({
        announcementId,
        at: daysFromNow(-daysAgo),
        userId: idOf(username),
        verb,
        toState,
        edition: row.edition,
        text: verb === 'withdraw' ? (seed.reason ?? null) : null,
      })
      .execute()
  if (row.state === 'SCHEDULED') await schedulePublication(trx, row)
  if (row.state === 'PUBLISHED') await scheduleExpiry(trx, row)
}

/** Runs after the accounts exist. */
export const buildAnnouncements = async (trx: Db): Promise<void> => {
  const rows = await unscoped(trx, 'the seed acts for nobody in particular')
    .selectFrom('users')
    .select(['id', 'username', 'deptId'])
    .execute()
  const people: People = new Map(rows.map(({ id, username, deptId }) => [username, { id, deptId }]))
  for (const seed of announcementSeeds) await buildAnnouncement(trx, people, seed)
}
