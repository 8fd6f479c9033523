import { codes } from '@tocsin/contract/codes'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Caller } from '#http/route'
import { type AlarmFixture, openAlarmFixture, person } from '../../../test/alarm-fixture.ts'
import { verbError } from '../../../test/alarm-verbs.ts'
import { updateStation } from './station.ts'
import { useTransactionHooks } from '../../../test/transaction-hooks.ts'

let world: AlarmFixture
let head: Caller

useTransactionHooks()
beforeAll(async () => {
  world = await openAlarmFixture()
  const sight = { deptId: world.station, depts: [world.station], schools: [] }
  const actor = await person(world.db, 'head', sight, new Set(['police:station:update']))
  head = { actor, origin: { ip: '127.0.0.1', userAgent: 'test', traceId: 't' } }
})
afterAll(() => world.end())

const stored = () =>
  world.all.selectFrom('policeStation').selectAll().where('deptId', '=', world.station).executeTakeFirstOrThrow()
const draw = async (...ring: [number, number][]) => {
  const { id, version } = await stored()
  return updateStation(world.db, head, { id, version, jurisdiction: { type: 'Polygon', coordinates: [ring] } })
}

describe('the jurisdiction of a station', () => {
  it('is rejected when its ring is open or crosses itself, and stored when it is a simple ring', async () => {
    await expect(draw([0, 0], [1, 0], [1, 1], [0, 1])).rejects.toMatchObject({
      errors: [{ field: 'jurisdiction', rule: 'format' }],
    })
    const crossing = await verbError(draw([0, 0], [1, 1], [1, 0], [0, 1], [0, 0]))
    expect(crossing).toMatchObject({ code: codes.jurisdictionCrosses.code, params: { corner: 1 } })
    expect((await stored()).jurisdiction).toBeNull()
    await draw([0, 0], [1, 0], [1, 1], [0, 1], [0, 0])
    const { id, version, jurisdiction } = await stored()
    expect(jurisdiction?.coordinates[0]).toHaveLength(5)
    await updateStation(world.db, head, { id, version, jurisdiction: null })
    expect((await stored()).jurisdiction).toBeNull()
  })
})
