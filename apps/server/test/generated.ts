import { type ExecFileException, execFile, execFileSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { unzipSync } from 'fflate'
import pg from 'pg'
import { codegenRoutes } from '../src/areas/system/codegen/routes.ts'
import { type AdminSite, openAdmin } from './admin-site.ts'

const root = join(import.meta.dirname, '../../..')

const hostile = `访客*/ \${process.exit(1)} 'q' "d" \`b\` \n'); drop table users; -- </script>\u2028{x} $t(shell.x) \\`
const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`
const table = `
  create table gate_pass (
    id bigint generated always as identity primary key,
    school_id bigint not null references school (id),
    full_name varchar(50) not null,
    "class" varchar(20),
    "order" text,
    state varchar(10) not null default 'NEW' check (state in ('NEW', 'IN', 'OUT')),
    pass_no varchar(20) not null unique,
    age integer, points bigint not null default 0, weight double precision,
    vip boolean not null default false, born_on date, visit_time timestamptz not null, sex varchar(10),
    a_very_long_name_of_one_column_in_the_db integer
  );
  comment on table gate_pass is ${quoted(hostile)};
  comment on column gate_pass.full_name is ${quoted(hostile)};
  comment on column gate_pass."class" is ${quoted("*/ it's ${1} \\")};
  comment on column gate_pass."order" is ${quoted('"; process.exit(1); //')};
  comment on column gate_pass.a_very_long_name_of_one_column_in_the_db is '一个非常长的字段名称用来测试换行的情况'`

const caller = (admin: AdminSite) => async (method: 'GET' | 'POST' | 'PUT', path: string, body?: object) => {
  const { code, msg, data } = await admin.call(method, `/infra/codegen/${path}`, body)
  if (code !== 200) throw new Error(`${path}: ${msg}`)
  return data
}

/** Imports the table as a person would, gives one column a dictionary, and takes the zip. */
const download = async (admin: AdminSite): Promise<Record<string, Uint8Array>> => {
  const call = caller(admin)
  const owner = new pg.Client(admin.database.owner)
  await owner.connect()
  await owner.query(table)
  await owner.end()
  const [id] = (await call('POST', 'create-list', { tableNames: ['gate_pass'] })) as unknown as number[]
  type Column = { id: number; columnName: string }
  const found = (await call('GET', `detail?tableId=${id}`)) as unknown as {
    table: { [key: string]: unknown }
    columns: (Column & { [key: string]: unknown })[]
  }
  const { title, titleEn, area, entity, sight, menuUnder, remark } = found.table
  const kept = [
    'id',
    'title',
    'titleEn',
    'inList',
    'inForm',
    'inQuery',
    'required',
    'queryType',
    'formType',
    'dictType',
    'sort',
  ]
  const columns = found.columns.map((column) => ({
    ...Object.fromEntries(kept.map((name) => [name, column[name]])),
    ...(column.columnName === 'sex' && {
      dictType: 'system_user_sex',
      formType: 'SELECT',
      inQuery: true,
      queryType: 'EQ',
    }),
    ...(['age', 'born_on', 'vip'].includes(column.columnName) && { inQuery: true }),
  }))
  const edit = { title, titleEn, area, entity, sight, menuUnder, remark }
  await call('PUT', 'update', { id, version: 1, table: edit, columns })
  const answer = await admin.site.app.inject({
    url: `/admin-api/infra/codegen/download?tableId=${id}`,
    headers: { authorization: `Bearer ${admin.adminToken}` },
  })
  return unzipSync(answer.rawPayload)
}

/** The files as they lie here, changed ones too, beside the packages that are installed here. */
const copyCheckout = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'tocsin-generated-'))
  // The database's own user reads it.
  chmodSync(folder, 0o755)
  const list = ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--deduplicate']
  const files = execFileSync('git', list, { cwd: root, encoding: 'utf8' }).split('\0')
  for (const file of files.filter((one) => one && existsSync(join(root, one))))
    cpSync(join(root, file), join(folder, file))
  mkdirSync(join(folder, 'node_modules/@tocsin'), { recursive: true })
  for (const name of readdirSync(join(root, 'node_modules')))
    if (name !== '@tocsin') symlinkSync(join(root, 'node_modules', name), join(folder, 'node_modules', name))
  for (const workspace of ['packages/contract', 'packages/protocol', 'apps/server', 'apps/web']) {
    symlinkSync(join(folder, workspace), join(folder, 'node_modules/@tocsin', workspace.split('/')[1] ?? ''))
    const own = join(root, workspace, 'node_modules')
    if (existsSync(own)) symlinkSync(own, join(folder, workspace, 'node_modules'))
  }
  execFileSync('git', ['init', '-q'], { cwd: folder })
  return folder
}

const runIn = (copy: string, tool: string, args: readonly string[]): Promise<string> =>
  new Promise((done) => {
    const bin = join(root, 'node_modules/.bin')
    const env = { PATH: `${bin}:${process.env['PATH'] ?? ''}`, HOME: process.env['HOME'] ?? tmpdir(), NO_COLOR: '1' }
    const told = (error: ExecFileException | null, out: string, err: string) => done(error ? `${out}${err}` : '')
    execFile(join(bin, tool), args, { cwd: copy, env, maxBuffer: 1 << 26 }, told)
  })

/** A copy of this very checkout with the zip of the code generator unpacked over it. */
export type Generated = {
  copy: string
  /** What the zip held. */
  paths: string[]
  /** Runs a tool in the copy; @returns what it said when it failed, and nothing when it did not. */
  run: (tool: string, args: readonly string[]) => Promise<string>
  close: () => void
}

export const openGenerated = async (): Promise<Generated> => {
  const admin = await openAdmin((db) => codegenRoutes({ db }))
  const files = await download(admin).finally(() => admin.end())
  const copy = copyCheckout()
  for (const [path, bytes] of Object.entries(files)) {
    mkdirSync(dirname(join(copy, path)), { recursive: true })
    writeFileSync(join(copy, path), bytes)
  }
  return {
    copy,
    paths: Object.keys(files),
    run: (tool, args) => runIn(copy, tool, args),
    close: () => rmSync(copy, { recursive: true, force: true }),
  }
}
