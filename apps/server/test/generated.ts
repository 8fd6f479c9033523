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
import { codegenRoutes } from '../src/areas/codegen/routes.ts'
import { type AdminServer, startAdminServer } from './admin-server.ts'

const root = join(import.meta.dirname, '../../..')

const hostile = `访客*/ \${process.exit(1)} 'q' "d" \`b\` \n'); drop table users; -- </script>\u2028{x} $t(shell.x) \\`
const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`
const tables = `
  create table trial_pass (
    id bigint generated always as identity primary key,
    school_id bigint not null references school (id),
    full_name varchar(50) not null,
    "class" varchar(20),
    "order" text,
    state varchar(10) not null default 'NEW' check (state in ('NEW', 'IN', 'OUT')),
    pass_no varchar(20) not null unique,
    age integer, fee numeric(8,2) not null default 0, share numeric(15,6), points bigint not null default 0, weight double precision,
    vip boolean not null default false, born_on date, visit_time timestamptz not null, sex varchar(10),
    photo_id bigint references file (id), plan_file bigint, content text, tags text[] not null default '{}',
    a_very_long_name_of_one_column_in_the_db integer, plan jsonb, readings double precision[]
  );
  comment on table trial_pass is ${quoted(hostile)};
  comment on column trial_pass.full_name is ${quoted(hostile)};
  comment on column trial_pass."class" is ${quoted("*/ it's ${1} \\")};
  comment on column trial_pass."order" is ${quoted('"; process.exit(1); //')};
  comment on column trial_pass.a_very_long_name_of_one_column_in_the_db is '一个非常长的字段名称用来测试换行的情况';
  create table trial_zone (
    id bigint generated always as identity primary key,
    parent_id bigint references trial_zone (id), label varchar(30) not null, sort integer not null default 0,
    open boolean not null default true,
    rank integer not null default 7, spare boolean not null default true, seen_at timestamptz not null default now(),
    labels text[] not null default '{}', hue varchar(10)
  );
  comment on table trial_zone is ${quoted(`区域${hostile}`)};
  create table trial_order (
    id bigint generated always as identity primary key, title varchar(30) not null, placed_on date, rate numeric(5,4), weight double precision,
    extra jsonb not null default '{}', marks integer[] not null default '{}', notes character varying(20)[]
  );
  create table trial_item (
    id bigint generated always as identity primary key,
    order_id bigint not null references trial_order (id), label varchar(30) not null, amount integer not null default 1,
    ready boolean not null default false, price numeric(3,3), lots numeric(4) not null default 1, note varchar(100), colour varchar(10),
    kind varchar(10) not null check (kind in ('BIG', 'SMALL')), sizes bigint[] not null default '{}', layout jsonb
  );
  comment on table trial_item is ${quoted(hostile)};
  create table trial_bill (
    id bigint generated always as identity primary key,
    order_id bigint not null unique references trial_order (id), payer varchar(30) not null
  )`

const caller = (admin: AdminServer) => async (method: 'GET' | 'POST' | 'PUT', path: string, body?: object) => {
  const { code, msg, data } = await admin.call(method, `/infra/codegen/${path}`, body)
  if (code !== 200) throw new Error(`${path}: ${msg}`)
  return data
}

type Detail = { table: Record<string, unknown>; columns: ({ columnName: string } & Record<string, unknown>)[] }
type Change = (columnName: string) => object

const tableKept = ['title', 'titleEn', 'area', 'entity', 'sight', 'menuUnder', 'template', 'joinColumn', 'remark']
const flags = ['inList', 'inCreate', 'inUpdate', 'inQuery', 'required']
const columnKept = ['id', 'title', 'titleEn', ...flags, 'queryType', 'formType', 'dictType', 'example', 'sort']
const only = (row: Record<string, unknown>, names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, row[name]]))

/** Imports a table like a user, with the settings of its module. */
const configured = async (
  admin: AdminServer,
  name: string,
  more: object,
  each: Change = () => ({}),
): Promise<number> => {
  const call = caller(admin)
  const [id] = (await call('POST', 'create-list', { tableNames: [name] })) as unknown as number[]
  if (id === undefined) throw new Error(`${name} was not imported`)
  const { table: found, columns } = (await call('GET', `detail?tableId=${id}`)) as unknown as Detail
  await call('PUT', 'update', {
    id,
    version: 1,
    table: { ...only(found, tableKept), ...more },
    columns: columns.map((column) => ({ ...only(column, columnKept), ...each(column.columnName) })),
  })
  return id
}

const DICT = 'system_user_sex'
const passes: Record<string, object> = {
  sex: { dictType: DICT, formType: 'RADIO', inQuery: true, queryType: 'IN' },
  tags: { dictType: DICT, formType: 'CHECKBOX', inQuery: true, queryType: 'EQ', inCreate: true, inUpdate: true },
  age: { inQuery: true },
  fee: { inQuery: true, queryType: 'BETWEEN' },
  born_on: { inQuery: true },
  vip: { inQuery: true },
  points: { inCreate: false },
  pass_no: { inUpdate: false, example: 'A-001' },
}
const unseen = { formType: 'HIDDEN', inCreate: true, inUpdate: true, required: false }
const zones: Record<string, object> = { rank: unseen, spare: unseen, seen_at: unseen, labels: unseen, hue: unseen }
const orders: Record<string, object> = { rate: { inQuery: true, queryType: 'EQ' }, weight: { inQuery: true } }
const items: Record<string, object> = {
  colour: { dictType: DICT, formType: 'SELECT' },
  amount: unseen,
}

/** Tables of the product: all read-only ones, and two that are written. */
const ofProduct = {
  school: 'trialSchool',
  place: 'trialPlace',
  device: 'trialDevice',
  device_model: 'trialModel',
  school_device: 'trialMount',
  warn_rule: 'trialRule',
  warn_record: 'trialRecord',
  notice: 'trialNotice',
  dict_data: 'trialValue',
  dict_type: 'trialList',
  demo_item: 'trialDemo',
}

/** Files of the zip archive of all tables by path. */
const download = async (admin: AdminServer): Promise<Record<string, Uint8Array>> => {
  const owner = new pg.Client(admin.database.owner)
  await owner.connect()
  await owner.query(tables)
  await owner.end()
  const pass = await configured(admin, 'trial_pass', {}, (name) => passes[name] ?? {})
  const zone = await configured(admin, 'trial_zone', {}, (name) => zones[name] ?? {})
  const order = await configured(
    admin,
    'trial_order',
    { sight: 'OPEN', menuUnder: 'System' },
    (name) => orders[name] ?? {},
  )
  const sub = { template: 'SUB', joinColumn: 'order_id' }
  await configured(admin, 'trial_item', sub, (name) => items[name] ?? {})
  await configured(admin, 'trial_bill', sub)
  const own: number[] = []
  for (const [table, entity] of Object.entries(ofProduct))
    own.push(await configured(admin, table, { entity, menuUnder: 'System' }))
  const answer = await admin.site.app.inject({
    url: `/admin-api/infra/codegen/download?tableId=${[pass, zone, order, ...own].join()}`,
    headers: { authorization: `Bearer ${admin.adminToken}` },
  })
  return unzipSync(answer.rawPayload)
}

/** The files of this checkout, changed ones too, beside the installed packages. */
const copyCheckout = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'tocsin-generated-'))
  // Readable for the system user of the database.
  chmodSync(folder, 0o755)
  const list = ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--deduplicate']
  const files = execFileSync('git', list, { cwd: root, encoding: 'utf8' }).split('\0')
  for (const file of files.filter((file) => file && existsSync(join(root, file))))
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
  execFileSync('git', ['add', '.'], { cwd: folder })
  return folder
}

const runIn = (copy: string, tool: string, args: readonly string[]): Promise<string> =>
  new Promise((done) => {
    const bin = join(root, 'node_modules/.bin')
    const env = { PATH: `${bin}:${process.env['PATH'] ?? ''}`, HOME: process.env['HOME'] ?? tmpdir(), NO_COLOR: '1' }
    const finish = (error: ExecFileException | null, out: string, err: string) => done(error ? `${out}${err}` : '')
    execFile(join(bin, tool), args, { cwd: copy, env, maxBuffer: 1 << 26 }, finish)
  })

/** A copy of this checkout with the generated code of some tables unpacked over it. */
export type Generated = {
  copy: string
  /** Paths of the written files. */
  paths: string[]
  /** Runs a tool in the copy; @returns its output when it failed, otherwise nothing */
  run: (tool: string, args: readonly string[]) => Promise<string>
  close: () => void
}

export const openGenerated = async (): Promise<Generated> => {
  const admin = await startAdminServer((db) => codegenRoutes({ db }))
  const zip = await download(admin).finally(() => admin.end())
  const copy = copyCheckout()
  for (const [path, bytes] of Object.entries(zip)) {
    mkdirSync(dirname(join(copy, path)), { recursive: true })
    writeFileSync(join(copy, path), bytes)
  }
  const run: Generated['run'] = (tool, args) => runIn(copy, tool, args)
  return { copy, paths: Object.keys(zip), run, close: () => rmSync(copy, { recursive: true, force: true }) }
}
