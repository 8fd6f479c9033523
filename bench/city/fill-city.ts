import { deptByCode, makeDept } from '../../apps/server/seed/fixtures.ts'
import type { BenchServer } from '../bench-server.ts'
import { fillRegister } from '../register/lists.ts'

const DISTRICTS = 20
const QUICK_SCALE = 0.01
const SCHOOLS = 3000

export const scaleOf = (isQuick: boolean): number => (isQuick ? Number(process.env['BENCH_SCALE'] ?? QUICK_SCALE) : 1)

/** A city: departments of districts, and those of schools below them. */
export type City = { districtId: number; districtDepts: number[]; districtSchools: number[] }

/** 3,000 schools in 20 districts with 99,000 devices; the city names the first district. */
export const fillCity = async ({ db, pool }: BenchServer['access'], isQuick: boolean): Promise<City> => {
  const eduId = await deptByCode(db, 'EDU')
  const districts: number[] = []
  for (let number = 0; number < DISTRICTS; number += 1)
    districts.push((await makeDept(db, { parentId: eduId, name: `第${number}区` })).id)
  const { rows } = await pool.query<{ id: string; parent: string }>(
    `insert into dept (parent_id, kind, name)
     select ($1::bigint[])[1 + n % $2::int], 'SCHOOL', '第' || n || '小学' from generate_series(1, $3::int) n
     returning id, parent_id as parent`,
    [districts, DISTRICTS, SCHOOLS],
  )
  await fillRegister(
    { db, pool },
    rows.map(({ id }) => Number(id)),
    scaleOf(isQuick),
  )
  const districtId = districts[0] ?? 0
  const own = rows.filter(({ parent }) => Number(parent) === districtId).map(({ id }) => Number(id))
  const schools = await pool.query<{ id: string }>('select id from school where dept_id = any($1)', [own])
  return {
    districtId,
    districtDepts: [districtId, ...own],
    districtSchools: schools.rows.map(({ id }) => Number(id)),
  }
}

/** Runs and reports how long it took. */
export const fillTimed = async <T>(name: string, work: () => Promise<T>): Promise<T> => {
  const began = performance.now()
  const result = await work()
  console.log(`${name} filled in ${Math.round((performance.now() - began) / 1000)} s`)
  return result
}
