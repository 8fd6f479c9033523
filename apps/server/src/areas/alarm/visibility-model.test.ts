import fc from 'fast-check'
import { codes } from '@tocsin/contract/codes'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeRecord } from '../../../seed/record-fixtures.ts'
import { calls, verbError } from '../../../test/alarm-verbs.ts'
import { type AlarmFixture, openAlarmFixture, operator, person } from '../../../test/alarm-fixture.ts'
import { receivedEvents } from '../../../test/live-page.ts'
import { live, type LiveServer, makeActor, startLiveServer } from '../../../test/live-server.ts'
import { recordDetail } from './record/detail.ts'
import { exportLog, exportRecords } from './record/export.ts'
import { logPage } from './record/log-list.ts'
import { getDeskQueue, recordPage } from './record/record-list.ts'
import { sampleSize } from '../../../test/sample-size.ts'

// Invariant 10: nothing outside a person's visibility reaches them by list, queue, detail, log, export, verb or socket.

let world: AlarmFixture
let server: LiveServer
beforeAll(async () => {
  world = await openAlarmFixture()
  server = await startLiveServer(world.database)
})
afterAll(async () => {
  await server.stop()
  await world.end()
})

const SCHOOLS = 4
const some = fc.uniqueArray(fc.nat({ max: SCHOOLS - 1 }), { maxLength: SCHOOLS })
/** The schools and departments a person sees; one of them is enough for a record of both. */
const town = fc.record({
  people: fc.array(fc.record({ schools: some, depts: some }), { minLength: 1, maxLength: 3 }),
  records: fc.array(
    fc.record({ school: fc.option(fc.nat({ max: SCHOOLS - 1 })), dept: fc.nat({ max: SCHOOLS - 1 }) }),
    {
      minLength: 1,
      maxLength: 6,
    },
  ),
})

let towns = 0
/** Only schools of this town, so that earlier ones are invisible. */
const build = async () => {
  towns += 1
  const schools: { id: number; deptId: number }[] = []
  for (let n = 0; n < SCHOOLS; n += 1) {
    const name = `T${towns}-${n}`
    const dept = { name, kind: 'SCHOOL' as const, parentId: world.bureau }
    const { id: deptId } = await world.db.insertInto('dept').values(dept).returning('id').executeTakeFirstOrThrow()
    const school = { deptId, code: name, name, stage: 'PRIMARY', areaType: 'URBAN', status: 'ACTIVE' } as const
    schools.push({
      deptId,
      ...(await world.all.insertInto('school').values(school).returning('id').executeTakeFirstOrThrow()),
    })
  }
  return (n: number) => schools[n] as { id: number; deptId: number }
}

const has = (ids: 'all' | readonly number[], id: number) => ids === 'all' || ids.includes(id)
const sorted = (ids: readonly number[]) => ids.toSorted((a, b) => a - b)

let marks = 0
/** The events that the sockets deliver; an event for everybody comes last. */
const collectEvents = async (tokens: string[], events: Parameters<LiveServer['commit']>) => {
  const pages = await Promise.all(tokens.map((token) => server.page(token)))
  marks -= 1
  const mark = marks
  await server.commit(...events)
  await server.commit({ type: 'dict.changed', ref: mark })
  for (const page of pages) await page.until((frame) => 'data' in frame && frame.data.ref === mark)
  for (const { ws } of pages) ws.close()
  return pages.map((page) => sorted(receivedEvents(page).filter((ref) => ref !== null && ref > 0) as number[]))
}

it('every list, call, export and socket shows a person the same records and no others', {
  timeout: 240_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(town, async ({ people, records }) => {
      const school = await build()
      const made = await Promise.all(
        records.map(({ school: at, dept }) =>
          makeRecord(world.db, { deptId: school(dept).deptId, schoolId: at === null ? null : school(at).id }),
        ),
      )
      const actors = await Promise.all(
        people.map(({ schools, depts }, n) =>
          person(
            world.db,
            `p${towns}-${n}`,
            {
              deptId: world.bureau,
              schools: schools.map((at) => school(at).id),
              depts: depts.map((at) => school(at).deptId),
            },
            operator,
          ),
        ),
      )
      const tokens = actors.map((actor) => {
        const { userId, schools, depts } = actor
        server.bearers.set(`t${userId}`, live(makeActor({ userId, schools, depts })))
        return `t${userId}`
      })
      const events = made.map(({ id: ref, schoolId, deptId }) => ({
        type: 'alarm.raised' as const,
        ref,
        schoolId,
        deptId,
      }))
      const rung = await collectEvents(tokens, events)
      for (const [n, actor] of actors.entries()) {
        const sees = ({ schoolId, deptId }: (typeof made)[number]) =>
          (schoolId !== null && has(actor.schools, schoolId)) || has(actor.depts, deptId)
        const inSight = made.filter(sees)
        const ids = sorted(inSight.map(({ id }) => id))
        const nos = inSight.map(({ no }) => no).toSorted()
        const found = async (file: Promise<{ stream: Parameters<typeof text>[0] }>) => {
          const written = await text((await file).stream)
          return made.filter(({ no }) => written.includes(no)).map(({ no }) => no)
        }
        expect(rung[n]).toEqual(ids)
        expect(sorted((await recordPage(world.db, actor, {})).list.map(({ id }) => id))).toEqual(ids)
        expect(sorted((await getDeskQueue(world.db, actor)).list.map(({ id }) => id))).toEqual(ids)
        expect((await logPage(world.db, actor, {})).list.map(({ recordNo }) => recordNo).toSorted()).toEqual(nos)
        expect((await found(exportRecords(world.db, actor, {}))).toSorted()).toEqual(nos)
        expect((await found(exportLog(world.db, actor, {}))).toSorted()).toEqual(nos)
        for (const record of made) {
          const missing = sees(record) ? undefined : codes.notFound.code
          expect((await verbError(recordDetail(world.db, actor, record.id)))?.code).toBe(missing)
          if (missing) expect((await verbError(calls.claim(world.db, actor, record)))?.code).toBe(missing)
        }
      }
    }),
    { numRuns: sampleSize(25) },
  )
})
