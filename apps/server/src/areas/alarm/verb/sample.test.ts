import { afterAll, beforeAll, expect, it } from 'vitest'
import { recordPage } from '#areas/alarm/record/record-list'
import { makeRecord } from '../../../../seed/record-fixtures.ts'
import { calls } from '../../../../test/alarm-verbs.ts'
import { type AlarmFixture, openAlarmFixture } from '../../../../test/alarm-fixture.ts'
import { isSampledForReview } from './sample.ts'

// Domain 2.8: 5 % of the closed records are reviewed again.

let fixture: AlarmFixture
beforeAll(async () => {
  fixture = await openAlarmFixture()
})
afterAll(() => fixture.end())

const numbers = Array.from({ length: 10_000 }, (_, n) => `YJ20261122${String(n).padStart(6, '0')}`)
const drawn = numbers.filter((no) => isSampledForReview({ no }))

it('selects one of twenty by the number of the record alone', () => {
  // Four standard deviations of ten thousand draws around 5 %.
  expect(drawn.length).toBeGreaterThan(410)
  expect(drawn.length).toBeLessThan(590)
  expect(numbers.filter((no) => isSampledForReview({ no }))).toEqual(drawn)
})

it('marks the selected records when they are closed, and the list finds them', async () => {
  const [hit] = drawn
  const miss = numbers.find((no) => !drawn.includes(no))
  const closed = async (no: string | undefined) => {
    const at = {
      deptId: fixture.first.deptId,
      schoolId: fixture.first.id,
      state: 'RESOLVED',
      level: 3,
      no: no ?? '',
    } as const
    const record = await makeRecord(fixture.db, {
      ...at,
      ownerId: fixture.zhang.userId,
      resolverId: fixture.zhang.userId,
    })
    expect(record.sampled).toBe(false)
    return calls.close(fixture.db, fixture.wang, record)
  }
  expect(await closed(hit)).toMatchObject({ state: 'CLOSED', sampled: true })
  expect(await closed(miss)).toMatchObject({ state: 'CLOSED', sampled: false })
  const found = (sampled: boolean) => recordPage(fixture.db, fixture.zhang, { sampled })
  expect((await found(true)).list.map(({ no }) => no)).toEqual([hit])
  expect((await found(false)).list.map(({ no }) => no)).toEqual([miss])
  const [first] = (await found(true)).list
  if (!first) throw new Error('nothing was drawn')
  const again = await calls.reopen(fixture.db, fixture.wang, first)
  expect(again).toMatchObject({ state: 'HANDLING', sampled: true })
})
