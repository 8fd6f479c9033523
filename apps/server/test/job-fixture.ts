import type { ImportNotes } from '@tocsin/contract/files/import'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { jobHandlers } from '../src/areas/jobs.ts'
import { transactionHooks } from '../src/areas/transaction-hooks.ts'
import { fileRoutes } from '../src/areas/files/routes.ts'
import { initFileStore } from '../src/areas/files/init-file-store.ts'
import { jobRoutes } from '../src/areas/files/export/job.ts'
import { noticeCalls } from '../src/areas/notices/routes.ts'
import { startActivation } from '../src/areas/access/sign-in/verification-code/activation.ts'
import { userImportRoutes } from '../src/areas/access/user-import/routes.ts'
import type { Db } from '../src/db/db.ts'
import { registerHooks } from '../src/db/transaction-hook.ts'
import type { Route } from '../src/http/route.ts'
import { startJobConsumer } from '../src/jobs/consume.ts'
import { startQueue } from '../src/jobs/queue.ts'
import { readSpreadsheet } from '../src/spreadsheet/read-spreadsheet.ts'
import { createWorkbook } from '../src/spreadsheet/xlsx.ts'
import { tempFolder } from '../src/store/temp-folder.ts'
import { openAdminFixture } from './admin-fixture.ts'
import type { ApiResponse } from './console.ts'
import { quietLog } from './quiet-log.ts'
import { testPrefix } from './kill-leftovers.ts'

const HEADS = ['登录名称', '用户名称', '部门编号', '用户邮箱', '手机号码', '用户性别', '账号状态', '角色', '备注']

/** Creates a workbook with the headings of the template or with others. */
export const workbook = async (rows: readonly (string | number | null)[][], heads = HEADS): Promise<Buffer> =>
  buffer(await createWorkbook([{ name: '用户', heads, rows }]))

/** Every line of a spreadsheet, the headings first. */
export const linesOf = async (bytes: Uint8Array): Promise<string[][]> => {
  const lines: string[][] = []
  for await (const { cells } of readSpreadsheet(bytes)) lines.push(cells)
  return lines
}

const importCalls = (db: Db): Route[] =>
  [fileRoutes, jobRoutes, noticeCalls.routes, userImportRoutes].flatMap((routes) => routes({ db }))

export type JobRow = {
  id: number
  state: string
  counts: Record<string, number>
  url: string | null
  error: unknown
  done: number
  import: { notes: ImportNotes | null } | null
}

/**
 * Server with the administration over HTTP, files in a folder, and the worker in this process.
 * @param more calls beside those
 */
export const openJobFixture = async (more: (db: Db) => Route[] = () => []) => {
  const root = mkdtempSync(join(tmpdir(), `${testPrefix}sheets-`))
  const masterKey = randomBytes(32)
  initFileStore({ s3Url: undefined, dataDir: root, masterKey })
  const sheets = tempFolder(root, 'sheets')
  startActivation(masterKey)
  const world = await openAdminFixture((db) => [...importCalls(db), ...more(db)])
  const queue = await startQueue(world.db, quietLog)
  const work = () => startJobConsumer({ db: world.db, handlers: jobHandlers(), log: quietLog })
  const removeHooks = registerHooks(transactionHooks)
  let consumer = await work()
  await world.app.listen({ host: '127.0.0.1', port: 0 })
  // Listening on a port always has an address.
  const { port } = world.app.server.address() as AddressInfo
  const base = `http://127.0.0.1:${port}/admin-api`
  const tokens = {
    admin: await world.tokenOf('admin', 'Maple-river-42'),
    local: await world.tokenOf('local', 'Maple-river-42'),
  }
  type As = keyof typeof tokens | { token: string }
  const bearer = (as: As) => ({ authorization: `Bearer ${typeof as === 'string' ? tokens[as] : as.token}` })

  const send = async (
    bytes: Uint8Array,
    query = '',
    as: As = 'admin',
    path = '/system/user/import',
  ): Promise<ApiResponse> => {
    const form = new FormData()
    // The signature of a workbook, which is an archive; other files are sent as text.
    const name = bytes[0] === 0x50 ? '名单.xlsx' : '名单.csv'
    form.append('file', new Blob([bytes as BlobPart]), name)
    const response = await fetch(`${base}${path}?${query}`, { method: 'POST', body: form, headers: bearer(as) })
    const answer = (await response.json()) as Omit<ApiResponse, 'status' | 'cookie'>
    return { ...answer, status: response.status, cookie: undefined }
  }
  const job = async (id: number, as: As = 'admin'): Promise<JobRow> => {
    const response = await fetch(`${base}/system/job/get?id=${id}`, { headers: bearer(as) })
    return ((await response.json()) as { data: JobRow }).data
  }
  const until = async (id: number, state: string, as: As = 'admin'): Promise<JobRow> => {
    const end = performance.now() + 110_000
    for (;;) {
      const found = await job(id, as)
      if (found.state === state) return found
      if (performance.now() > end) throw new Error(`job ${id} is ${JSON.stringify(found)}, not ${state}`)
      await pause(50)
    }
  }
  return {
    ...world,
    base,
    /** The configuration of a second worker. */
    dataDir: root,
    /** The folder in which the worker writes spreadsheets. */
    sheets,
    masterKey,
    bearer,
    send,
    job,
    until,
    /** Checks a spreadsheet. @returns the job when it is READY */
    check: async (bytes: Uint8Array, query = '', as: As = 'admin') => {
      const { code, msg, data } = await send(bytes, `dryRun=true&${query}`, as)
      if (code !== 200) throw new Error(msg)
      return until(Number(data.id), 'READY', as)
    },
    fetchFile: (path: string, as: As = 'admin', signal?: AbortSignal) =>
      fetch(base + path, { headers: bearer(as), ...(signal && { signal }) }),
    download: async (path: string, as: As = 'admin') =>
      linesOf(new Uint8Array(await (await fetch(base + path, { headers: bearer(as) })).arrayBuffer())),
    restartWorker: async () => {
      await consumer.stop()
      consumer = await work()
    },
    stopWorker: () => consumer.stop(),
    close: async () => {
      await consumer.stop()
      await queue.stop()
      await world.close()
      removeHooks()
      rmSync(root, { recursive: true, force: true })
    },
  }
}
export type JobFixture = Awaited<ReturnType<typeof openJobFixture>>
