import { makeDept, makeSchool, makeUser } from '../../apps/server/seed/fixtures.ts'
import { makeRecord } from '../../apps/server/seed/record-fixtures.ts'
import { setTimeout as pause } from 'node:timers/promises'
import { RUNS } from '../baselines.ts'
import type { BenchServer } from '../bench-server.ts'
import { type BenchFigure, percentile } from '../figures.ts'
import { type LivePage, openLivePage } from '../live-page.ts'

const OPEN_AT_ONCE = 25
/** Below the number of people that can be sent in one school. */
const GUARDS_PER_SCHOOL = 100
/** A person does not tap faster, and a user may call 50 times a second. */
const BETWEEN_TAPS_MS = 25
/** Loopback delivers in milliseconds; a lost event must not stop the run silently. */
const LOST_MS = 30_000

type Size = { phones: readonly number[]; taps: number; runs: number }
const sizes: Record<'full' | 'quick', Size> = {
  full: { phones: [1, 50, 500], taps: 100, runs: RUNS },
  quick: { phones: [1, 5], taps: 5, runs: 2 },
}

type School = { id: number; deptId: number }
type Phone = { page: LivePage; userId: number; school: School }
type Operator = { userId: number; token: string }

const openPhone = async (stage: BenchServer, school: School): Promise<Phone> => {
  const { db } = stage.access
  const guard = await makeUser(db, { roles: ['guard'], deptId: school.deptId })
  const page = await openLivePage(stage.node.http, await stage.tokenOf(guard.id))
  return { page, userId: guard.id, school }
}

const openPhones = async (stage: BenchServer, count: number): Promise<Phone[]> => {
  const { db } = stage.access
  const phones: Phone[] = []
  const bureau = await makeDept(db)
  while (phones.length < count) {
    const school = await makeSchool(db, { eduDeptId: bureau.id })
    const wanted = Math.min(GUARDS_PER_SCHOOL, count - phones.length)
    for (let opened = 0; opened < wanted; opened += OPEN_AT_ONCE) {
      const together = Array.from({ length: Math.min(OPEN_AT_ONCE, wanted - opened) }, () => openPhone(stage, school))
      phones.push(...(await Promise.all(together)))
    }
  }
  return phones
}

/** The phone rings by the event of its new message. */
const untilItRings = ({ page }: Phone): Promise<number> =>
  new Promise((ring, lose) => {
    const lost = setTimeout(() => lose(new Error('the phone did not ring')), LOST_MS)
    page.onEvent((type) => {
      if (type !== 'delivery.arrived') return
      page.onEvent(() => undefined)
      clearTimeout(lost)
      ring(performance.now())
    })
  })

const send = async (stage: BenchServer, { token }: Operator, body: object): Promise<void> => {
  const response = await fetch(`${stage.node.http}/admin-api/warn/record/dispatch`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify(body),
  })
  const { code, msg } = (await response.json()) as { code: number; msg: string }
  if (code !== 200) throw new Error(`the dispatch was answered ${code} ${msg}`)
}

/** From the operator's tap to the event on the phone, and to the answer on the desk, in ms. */
const tap = async (stage: BenchServer, operator: Operator, phone: Phone) => {
  const { id: schoolId, deptId } = phone.school
  const place = { schoolId, deptId, ownerId: operator.userId }
  const record = await makeRecord(stage.access.db, { ...place, state: 'CLAIMED', level: 2 })
  const rings = untilItRings(phone)
  const began = performance.now()
  const answered = send(stage, operator, { id: record.id, version: record.version, responderIds: [phone.userId] }).then(
    () => performance.now() - began,
  )
  const [rangAt, answer] = await Promise.all([rings, answered])
  return { ring: rangAt - began, answer }
}

const measureRun = async (stage: BenchServer, operator: Operator, phones: readonly Phone[], taps: number) => {
  await stage.closeRecords()
  const rings: number[] = []
  const answers: number[] = []
  for (let count = 0; count < taps; count += 1) {
    const phone = phones[count % phones.length]
    if (!phone) throw new Error('no phone is open')
    const { ring, answer } = await tap(stage, operator, phone)
    rings.push(ring)
    answers.push(answer)
    await pause(BETWEEN_TAPS_MS)
  }
  return { rings, answers }
}

const measurePhones = async (stage: BenchServer, count: number, { taps, runs }: Size): Promise<BenchFigure[]> => {
  await stage.restart()
  const user = await makeUser(stage.access.db, { roles: ['super_admin'] })
  const operator = { userId: user.id, token: await stage.tokenOf(user.id) }
  const phones = await openPhones(stage, count)
  const figures = { ring50: [] as number[], ring99: [] as number[], answer50: [] as number[] }
  // The first run is the warm-up.
  for (let run = 0; run <= runs; run += 1) {
    const { rings, answers } = await measureRun(stage, operator, phones, taps)
    if (run === 0) continue
    figures.ring50.push(percentile(rings, 50))
    figures.ring99.push(percentile(rings, 99))
    figures.answer50.push(percentile(answers, 50))
  }
  for (const { page } of phones) page.close()
  const name = `${count} open ${count === 1 ? 'phone' : 'phones'}, tap to`
  return [
    { name: `${name} answer on the desk, p50`, unit: 'ms', runs: figures.answer50 },
    { name: `${name} ring, p50`, unit: 'ms', runs: figures.ring50 },
    { name: `${name} ring, p99`, unit: 'ms', runs: figures.ring99 },
  ]
}

/** One operator sends one guard at a time, while the phones of many guards are open. */
export const benchDispatch = async (
  stage: BenchServer,
  show: (figure: BenchFigure) => void,
  isQuick: boolean,
): Promise<void> => {
  const size = sizes[isQuick ? 'quick' : 'full']
  for (const count of size.phones) for (const figure of await measurePhones(stage, count, size)) show(figure)
}
