import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { buffer } from 'node:stream/consumers'
import { createWorkbook } from '../apps/server/src/spreadsheet/xlsx.ts'
import { type BenchFigure, percentile } from './figures.ts'
import { fixedRate, openDeviceLoad } from './load.ts'
import { type Call, callAs, watchJob } from './register/bench-calls.ts'
import type { BenchServer } from './bench-server.ts'

const ROWS = 1_000_000
const LINES = 100_000
const WITNESSES = 50
const SETTLE_MS = 5000

const people = ({ access }: BenchServer) =>
  access.pool.query(
    `insert into users (username, nickname, dept_id, email, mobile, remark)
     select 'crowd' || n, '用户' || n, d.id, 'crowd' || n || '@example.com', (13000000000 + n)::text, '备注文字'
     from generate_series(1, $1::int) n, (select id from dept where code = 'EDU') d`,
    [ROWS],
  )

const exporting = async (stage: BenchServer, call: Call, format: string) => {
  const began = performance.now()
  const worked = stage.processor()
  const id = await call<number>('POST', `/system/user/export-later?username=crowd&format=${format}`)
  const { job, peak } = await watchJob(stage, call, id, ['DONE'])
  if (job.done !== ROWS) throw new Error(`${job.done} rows`)
  const { server, postgres } = stage.processor()
  const processor = (server - worked.server + postgres - worked.postgres) / 1000
  return { seconds: (performance.now() - began) / 1000, processor, peak }
}

const sheet = (nickname: string) => {
  const heads = ['登录名称', '用户名称', '用户邮箱', '手机号码', '用户性别', '账号状态', '角色']
  const rows = Array.from({ length: LINES }, (_, at) => [
    `sheet.${at}`,
    `${nickname}${at}`,
    `sheet${at}@example.com`,
    String(15_000_000_000 + at),
    '男',
    '开启',
    'guard',
  ])
  return createWorkbook([{ name: '用户', heads, rows }]).then(buffer)
}

type Import = { as: 'created' | 'updated'; onlyGood: boolean }

const importing = async (stage: BenchServer, call: Call, { as, onlyGood }: Import) => {
  const form = new FormData()
  form.append('file', new Blob([(await sheet(`${as}${onlyGood}`)) as BlobPart]), `${randomUUID()}.xlsx`)
  const began = performance.now()
  const { id } = await call<{ id: number }>('POST', '/system/user/import?dryRun=true&updateSupport=true', form)
  const checked = await watchJob(stage, call, id, ['READY'])
  const between = performance.now()
  await call('POST', '/system/user/import-commit', { id, onlyGood })
  const written = await watchJob(stage, call, id, ['DONE'])
  if (written.job.counts[as] !== LINES) throw new Error(JSON.stringify(written.job.counts))
  const peak = Math.max(checked.peak, written.peak)
  return { check: (between - began) / 1000, write: (performance.now() - between) / 1000, peak }
}

/** Times signing in and claiming for a user, of a hundred whom the import changes. @returns ms. */
const referring = async (stage: BenchServer): Promise<number> => {
  await pause(50)
  const began = performance.now()
  await stage.access.pool.query(
    `select from users where lower(username) in (select 'sheet.' || n from generate_series(0, ${LINES - 1}, ${LINES / 100}) n)
     for key share`,
  )
  return performance.now() - began
}

/** Repeats a round until the job is done. */
const besides = async <T>(work: Promise<T>, round: () => Promise<void>): Promise<T> => {
  let working = true
  const ended = work.finally(() => {
    working = false
  })
  ended.catch(() => undefined)
  while (working) await round()
  return ended
}

/** Measures imports and exports of the largest expected size, and their effect on alarms. */
export const benchExports = async (stage: BenchServer, show: (figure: BenchFigure) => void): Promise<void> => {
  const [token = ''] = await stage.tokens(1)
  const call = callAs(stage, token)
  await people(stage)
  await stage.access.pool.query('vacuum analyze users')
  const crowd = await openDeviceLoad(stage.node.mqtt, await stage.devices(WITNESSES))
  const press = async () => {
    await stage.closeRecords()
    const { latencies } = await fixedRate(crowd, { count: 300, perSecond: 20, fresh: true })
    return latencies
  }
  const quiet = await press()
  await pause(SETTLE_MS)
  const before = stage.memory()
  const xlsx = await exporting(stage, call, 'xlsx')
  const csv = await exporting(stage, call, 'csv')
  const [beside, during] = await Promise.all([exporting(stage, call, 'xlsx'), press()])
  const importLatencies: number[] = []
  const sheets = await besides(importing(stage, call, { as: 'created', onlyGood: false }), async () => {
    importLatencies.push(...(await press()))
  })
  const changes = await importing(stage, call, { as: 'updated', onlyGood: true })
  const waits: number[] = []
  const whole = await besides(importing(stage, call, { as: 'updated', onlyGood: false }), async () => {
    waits.push(await referring(stage))
  })
  await crowd.close()
  show({ name: `${ROWS} users as xlsx`, unit: 's', runs: [xlsx.seconds] })
  show({ name: `${ROWS} users as csv`, unit: 's', runs: [csv.seconds] })
  show({ name: 'processor time of that, as xlsx and as csv', unit: 's', runs: [xlsx.processor, csv.processor] })
  show({ name: 'memory of the server before', unit: 'MB', runs: [before] })
  show({ name: 'memory of the server at most while exporting', unit: 'MB', runs: [xlsx.peak, csv.peak] })
  show({ name: `${LINES} users of a sheet checked`, unit: 's', runs: [sheets.check] })
  show({ name: `${LINES} users of a sheet written`, unit: 's', runs: [sheets.write] })
  show({ name: `${LINES} changed users of a sheet checked`, unit: 's', runs: [changes.check] })
  show({ name: `${LINES} changed users of a sheet written`, unit: 's', runs: [changes.write] })
  show({ name: `${LINES} changed users of a sheet written, all or none`, unit: 's', runs: [whole.write] })
  show({ name: 'what refers to changed users beside that, the longest', unit: 'ms', runs: [Math.max(...waits)] })
  show({ name: 'memory of the server at most while importing', unit: 'MB', runs: [sheets.peak] })
  show({ name: '20/s press to receipt, p99, quiet', unit: 'ms', runs: [percentile(quiet, 99)] })
  show({
    name: `20/s press to receipt, p99, beside an export (${Math.round(beside.seconds)} s)`,
    unit: 'ms',
    runs: [percentile(during, 99)],
  })
  const seconds = Math.round(sheets.check + sheets.write)
  for (const [name, percent] of [
    ['median', 50],
    ['p99', 99],
  ] as const)
    show({
      name: `20/s press to receipt, ${name}, beside an import (${seconds} s, ${importLatencies.length} presses)`,
      unit: 'ms',
      runs: [percentile(importLatencies, percent)],
    })
}
