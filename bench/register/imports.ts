import { randomUUID } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { createWorkbook } from '../../apps/server/src/spreadsheet/xlsx.ts'
import type { BenchServer } from '../bench-server.ts'
import { callAs, type Call, watchJob } from './bench-calls.ts'
import type { BenchFigure } from '../figures.ts'

/** A smaller number tests the script and says nothing about speed. */
const SCALE = Number(process.env['BENCH_SCALE'] ?? 1)
const SCHOOLS = Math.max(1, Math.round(3000 * SCALE))
const PEOPLE = Math.max(1, Math.round(60_000 * SCALE))
const DEVICES = Math.max(1, Math.round(100_000 * SCALE))

type Sheet = { path: string; heads: string[]; rows: string[][] }

const schoolSheet = (district: string): Sheet => ({
  path: '/school/school',
  heads: ['学校代码', '学校名称', '教育部门', '学段', '学生数'],
  rows: Array.from({ length: SCHOOLS }, (_, n) => [`SHEET${n}`, `名单第${n}小学`, district, '小学', String(n % 3000)]),
})

const personSheet = (): Sheet => ({
  path: '/school/employee',
  heads: ['工号', '姓名', '类别', '学校', '证件到期'],
  rows: Array.from({ length: PEOPLE }, (_, n) => [
    `SHEET-${n}`,
    `名单人员${n}`,
    '教师',
    `SHEET${n % SCHOOLS}`,
    '2029-06-30',
  ]),
})

const deviceSheet = (model: string): Sheet => ({
  path: '/device/device',
  heads: ['设备序列号', '型号', '批次'],
  rows: Array.from({ length: DEVICES }, (_, n) => [`SHEET-${n}`, model, `B${n % 40}`]),
})

const importSheet = async (stage: BenchServer, call: Call, { path, heads, rows }: Sheet) => {
  const content = await createWorkbook([{ name: '数据', heads, rows }]).then(buffer)
  const form = new FormData()
  form.append('file', new Blob([content as BlobPart]), `${randomUUID()}.xlsx`)
  const began = performance.now()
  const { id } = await call<{ id: number }>('POST', `${path}/import?dryRun=true`, form)
  const checked = await watchJob(stage, call, id, ['READY'])
  const between = performance.now()
  await call('POST', `${path}/import-commit`, { id, onlyGood: false })
  const written = await watchJob(stage, call, id, ['DONE'])
  if (written.job.counts['created'] !== rows.length) throw new Error(JSON.stringify(written.job))
  return {
    check: (between - began) / 1000,
    write: (performance.now() - between) / 1000,
    peak: Math.max(checked.peak, written.peak),
  }
}

/** Measures a city that is taken in by three sheets: its schools, people and devices. */
export const benchImports = async (stage: BenchServer, show: (figure: BenchFigure) => void): Promise<void> => {
  const { pool } = stage.access
  const { rows: districts } = await pool.query<{ name: string }>(`select name from dept where code = 'EDU'`)
  await pool.query(
    `insert into device_model (product_key, vendor, name, kind, power, alarm_codes)
     values ('benchbtn01', 'bench', 'bench', 'PANIC_BUTTON', 'BATTERY', '{PANIC}')`,
  )
  const [token = ''] = await stage.tokens(1)
  const call = callAs(stage, token)
  for (const [name, sheet] of [
    [`${SCHOOLS} schools`, schoolSheet(districts[0]?.name ?? '')],
    [`${PEOPLE} people`, personSheet()],
    [`${DEVICES} devices`, deviceSheet('benchbtn01')],
  ] as const) {
    const { check, write, peak } = await importSheet(stage, call, sheet)
    show({ name: `${name} of a sheet checked`, unit: 's', runs: [check] })
    show({ name: `${name} of a sheet written`, unit: 's', runs: [write] })
    show({ name: `memory of the server at most while importing ${name}`, unit: 'MB', runs: [peak] })
  }
}
