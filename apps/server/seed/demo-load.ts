import { sql } from 'kysely'
import type { Db } from '#db/db'
import { unscoped } from '#db/scope'
import type { DemoDevice } from './demo.ts'
import { type DemoKeys, deriveDemoSecret } from './demo-keys.ts'
import { demoModels } from './demo-models.ts'
import { deptByCode, makeInstallation, makeDevice, makePlace, makeSchool, makeUser } from './fixtures.ts'

const SCHOOL = 'DEMO-CROWD'
const { productKey } = demoModels.button
const snOf = (n: number) => `${SCHOOL}-${String(n).padStart(5, '0')}`

const buildSchool = async (trx: Db) => {
  const [eduDeptId, policeDeptId] = [await deptByCode(trx, 'DEMO-EAST'), await deptByCode(trx, 'DEMO-STATION')]
  const school = await makeSchool(trx, { code: SCHOOL, name: '东湖试验学校', eduDeptId, policeDeptId })
  // Without an alarm recipient no device of the school would be in service.
  const guard = { username: 'guard.crowd', nickname: '保安 杨', type: 'SCHOOL' as const, roles: ['guard'] }
  await makeUser(trx, { ...guard, deptId: school.deptId })
  return school
}

/**
 * Creates a school of its own with so many rooms and buttons, for presses by the thousand; existing ones stay. Runs
 * after `seedDemo`.
 */
export const seedLoad = async (db: Db, keys: DemoKeys, count: number): Promise<DemoDevice[]> => {
  const numbers = Array.from({ length: count }, (_, i) => i + 1)
  await db.transaction().execute(async (trx) => {
    await sql`lock table seeded in exclusive mode`.execute(trx)
    const all = unscoped(trx, 'the seed acts for nobody in particular')
    const known = await all.selectFrom('device').select('sn').where('sn', 'like', `${SCHOOL}-%`).execute()
    const there = new Set(known.map(({ sn }) => sn))
    const model = await all
      .selectFrom('deviceModel')
      .select('id')
      .where('productKey', '=', productKey)
      .executeTakeFirstOrThrow()
    const found = await all.selectFrom('school').select('id').where('code', '=', SCHOOL).executeTakeFirst()
    const { id: schoolId } = found ?? (await buildSchool(trx))
    for (const n of numbers.filter((number) => !there.has(snOf(number)))) {
      const room = await makePlace(trx, { schoolId, name: `${n} 号室`, sort: n })
      const secret = deriveDemoSecret(keys.secrets, `device ${snOf(n)}`)
      const { device } = await makeDevice(trx, { sn: snOf(n), modelId: model.id, key: keys.http, secret })
      await makeInstallation(trx, device, room)
    }
  })
  return numbers.map((n) => {
    const secret = deriveDemoSecret(keys.secrets, `device ${snOf(n)}`).toString('base64url')
    return { productKey, sn: snOf(n), secret }
  })
}
