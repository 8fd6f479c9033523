import type { ReadinessReason } from '@tocsin/contract/insight/readiness'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { seedRules } from '#areas/alarm/rule-seed'
import { makeInstallation } from '../../../../seed/fixtures.ts'
import { type DeviceServer, startDeviceServer } from '../../../../test/device-server.ts'
import { refreshAll } from './refresh.ts'

let site: DeviceServer
let deviceId: number
const run = (sql: string, values: unknown[] = []) => site.pool.query<Record<string, unknown>>(sql, values)

beforeAll(async () => {
  site = await startDeviceServer(() => [])
  await seedRules(site.site.db)
  const { id } = await site.register('FACT-0001')
  deviceId = id
  await makeInstallation(site.site.db, { id }, { id: site.placeIds[0], schoolId: site.schoolId })
  await run(`insert into device_state (device_id, connectivity) values ($1, 'ONLINE') on conflict do nothing`, [id])
})
afterAll(() => site.end())

const reasonAbout = async (code: string): Promise<ReadinessReason | undefined> => {
  await site.site.db.transaction().execute((trx) => refreshAll(trx, new Date()))
  const { rows } = await run(`select reasons from device_readiness where device_id = $1`, [deviceId])
  return (rows[0]?.['reasons'] as ReadinessReason[] | undefined)?.find((reason) => reason.code === code)
}

describe('refreshAll', () => {
  it('deducts points while no response plan is published for an alarm of the device', async () => {
    expect(await reasonAbout('PROCEDURE')).toMatchObject({ points: 5 })
    await run(
      `with plan as (
        insert into procedure (kind, name, name_en, class, status, version_no, published_at)
        select 'RESPONSE', class, class, class, 'PUBLISHED', 1, now() from (select distinct class from warn_rule) r
        returning id, class
      )
      insert into procedure_version (procedure_id, no, kind, name, name_en, class, steps)
      select id, 1, 'RESPONSE', class, class, class, '[]' from plan`,
    )
    expect(await reasonAbout('PROCEDURE')).toBeUndefined()
    await run(`update procedure set status = 'RETIRED'`)
    expect(await reasonAbout('PROCEDURE')).toMatchObject({ points: 5 })
  })

  it('deducts points for firmware other than that of the last completed rollout', async () => {
    await run(`update device_state set fw = '1.0' where device_id = $1`, [deviceId])
    expect(await reasonAbout('FIRMWARE')).toBeUndefined()
    await run(
      `with file as (
        insert into file (name, type, size, sha256, purpose, owner_id, owner_name)
        values ('fw', 'application/octet-stream', 1, '', 'LIBRARY', 1, 'admin') returning id
      ), package as (
        insert into program_package (kind, model_id, release, file_id, file_name, size, sha256, signature)
        select 'FIRMWARE', device.model_id, '1.1', file.id, 'fw', 1, '', '' from device, file where device.id = $1
        returning id, model_id
      )
      insert into rollout (name, package_id, kind, model_id, state, max_bad_pct, ended_at)
      select '1.1', id, 'FIRMWARE', model_id, 'COMPLETED', 5, now() from package`,
      [deviceId],
    )
    expect(await reasonAbout('FIRMWARE')).toMatchObject({ points: 5 })
    await run(`update device_state set fw = '1.1' where device_id = $1`, [deviceId])
    expect(await reasonAbout('FIRMWARE')).toBeUndefined()
  })

  it('deducts points for a battery that ends within 30 days, unless it is low already', async () => {
    const drain = (from: number, to: number) =>
      run(
        `update device_state set battery_from_pct = $2, battery_pct = $3, battery_from_at = now() - interval '10 days',
          last_heartbeat_at = now() where device_id = $1`,
        [deviceId, from, to],
      )
    await drain(80, 60)
    expect(await reasonAbout('BATTERY_AHEAD')).toMatchObject({ points: 5, value: 1 })
    await drain(80, 24)
    expect(await reasonAbout('BATTERY_AHEAD')).toMatchObject({ points: 10, value: 26 })
    await drain(80, 15)
    expect(await reasonAbout('BATTERY_AHEAD')).toBeUndefined()
    expect(await reasonAbout('BATTERY')).toMatchObject({ points: 15 })
  })
})
