import type { SupervisionOrderQuery } from '../../packages/contract/src/supervise/order.ts'
import { orderBoard, orderPage } from '../../apps/server/src/areas/supervise/order-reads.ts'
import { pageGaps } from '../../apps/server/src/areas/security/gap/gap-notices.ts'
import { pageCompliance } from '../../apps/server/src/areas/security/headcount.ts'
import { pageShifts, readCalendar } from '../../apps/server/src/areas/security/shift/shift-reads.ts'
import { startOfDay } from '../../packages/contract/src/security/hours.ts'
import type { Actor } from '../../apps/server/src/http/route.ts'
import { openPool } from '../../apps/server/src/db/db.ts'
import { embedded } from '../../tools/fault/fault-setup.ts'
import type { BenchServer } from '../bench-server.ts'
import type { BenchFigure } from '../figures.ts'
import { asked, type Case } from '../register/list-case.ts'
import { everybody, makeHead, measureCase } from '../register/measure-case.ts'
import { fillOrders, fillShifts } from './duty-rows.ts'
import { type City, fillCity, fillTimed, scaleOf } from './fill-city.ts'

/** Days before and after today, so that the whole is a month. */
const DAYS = [-15, 14] as const
const QUICK_DAYS = [-2, 3] as const
const MONTH_DAYS = 31
const ORDERS = 100_000
const QUICK_COUNT = 10
const DAY_MS = 86_400_000
const PAGE_SIZE = 10

const orders = (name: string, query: SupervisionOrderQuery): Case => ({
  name: `orders, ${name}`,
  path: `/supervise/order/page?${asked(query)}`,
  run: ({ db, actor }) => orderPage(db, actor, query),
})

const duties = (schoolId: number): Case[] => {
  const from = new Date(Date.now() - (MONTH_DAYS / 2) * DAY_MS)
  const month = { from, days: MONTH_DAYS, schoolId }
  const today = { from: startOfDay(new Date()), to: new Date(startOfDay(new Date()).getTime() + DAY_MS) }
  return [
    {
      name: 'calendar of a school, a month',
      path: `/security/shift/calendar?${asked(month)}`,
      run: ({ db, actor }) => readCalendar(db, actor, month),
    },
    {
      name: 'shifts of today, first page',
      path: `/security/shift/page?${asked(today)}`,
      run: ({ db, actor }) => pageShifts(db, actor, today),
    },
    {
      name: 'required, planned and present guards, first page',
      path: '/security/headcount/page',
      run: ({ db, actor }) => pageCompliance(db, actor, {}),
    },
    {
      name: 'schools short of guards, first page',
      path: `/security/headcount/page?${asked({ short: true })}`,
      run: ({ db, actor }) => pageCompliance(db, actor, { short: true }),
    },
    {
      name: 'hours without guards',
      path: '/security/gap/page',
      run: ({ db, actor }) => pageGaps(db, actor, {}),
    },
  ]
}

const superviseCases = (orderCount: number): Case[] => [
  orders('first page', {}),
  orders('red ones', { light: ['RED'] }),
  orders('evaluated ones', { state: ['EVALUATED'] }),
  orders('last page', { pageNo: Math.ceil(orderCount / PAGE_SIZE) }),
  { name: 'orders by district', path: '/supervise/order/board', run: ({ db, actor }) => orderBoard(db, actor) },
]

const sightsOf = async (stage: BenchServer, city: City): Promise<[string, string, Actor][]> => {
  const [token = ''] = await stage.tokens(1)
  const head = await makeHead(stage.access, city.districtId)
  const district = { ...everybody, deptId: city.districtId, depts: city.districtDepts, schools: city.districtSchools }
  return [
    ['the city', token, everybody],
    ['a district', await stage.tokenOf(head), district],
  ]
}

/** Measures duty and supervision of a city: 60,000 shifts a day and 100,000 orders. */
export const benchDuty = async (
  stage: BenchServer,
  show: (figure: BenchFigure) => void,
  isQuick: boolean,
): Promise<void> => {
  const orderCount = ORDERS * scaleOf(isQuick)
  const city = await fillTimed('duty', async () => {
    const filled = await fillCity(stage.access, isQuick)
    await fillShifts(stage.access.pool, isQuick ? QUICK_DAYS : DAYS)
    await fillOrders(stage.access.pool, orderCount)
    return filled
  })
  const pool = openPool({ ...embedded(stage.dataDir).owner, user: 'postgres', max: 10 }, 60)
  for (const [sight, bearer, actor] of await sightsOf(stage, city)) {
    const reading = { stage, pool, bearer, actor, ...(isQuick && { count: QUICK_COUNT }) }
    // Nobody of a district sees all pages of the city.
    for (const { name, ...read } of [...duties(city.districtSchools[0] ?? 0), ...superviseCases(orderCount)])
      if (sight === 'the city' || name !== 'orders, last page')
        show(await measureCase(reading, { ...read, name: `${name} (${sight})` }))
  }
  await pool.end()
}
