import { sql } from 'kysely'
import { configurations } from '../src/areas/settings/routes.ts'
import { dictEntries, dictionaries } from '../src/areas/settings/dict/routes.ts'
import { logRoutes } from '../src/areas/audit/log/routes.ts'
import type { Db } from '../src/db/db.ts'
import { unscoped } from '../src/db/scope.ts'
import type { JobFixture } from './job-fixture.ts'
import type { openFastWorkerFixture } from './fast-worker.ts'

// Exported lists of the administration, and rows for them whose named column is `many1` and so on.

export const openListFixture = (open: typeof openFastWorkerFixture): Promise<JobFixture> => {
  const keys = { setting: new Uint8Array(32) }
  return open((db) =>
    [
      dictionaries.routes({ db }),
      dictEntries.routes({ db }),
      configurations.routes({ db, keys }),
      logRoutes({ db }),
    ].flat(),
  )
}

/** Inserts rows in batches because of the statement time limit. */
export const fillList = async (db: Db, into: ReturnType<typeof sql>, from: number, to: number) => {
  for (let first = from; first <= to; first += 5000)
    await sql`${into} from generate_series(${first}::int, least(${first + 4999}::int, ${to}::int)) n`.execute(
      unscoped(db, 'test'),
    )
}

/** The latest audited export. */
export const lastExportAudit = (db: Db) =>
  unscoped(db, 'test')
    .selectFrom('auditLog')
    .select(['action', 'subject', 'username', 'after'])
    .where('action', 'like', '%:export')
    .orderBy('id', 'desc')
    .executeTakeFirst()

/** Transactions that wait for their client or their reader. */
export const countIdleTransactions = async (db: Db): Promise<number | undefined> =>
  (
    await sql<{ n: number }>`
      select count(*) as n from pg_stat_activity
      where datname = current_database() and state = 'idle in transaction'`.execute(db)
  ).rows[0]?.n

export const dictTypeList = {
  path: '/system/dict-type',
  permission: 'system:dict:export',
  subject: 'dict_type',
  name: '字典类型',
  sought: 'type',
  into: sql`insert into dict_type (name, type, remark) select 'n' || n, 'many' || n, repeat('长', 300)`,
}

export const exportedLists = [
  dictTypeList,
  {
    path: '/system/dict-data',
    permission: 'system:dict:export',
    subject: 'dict_data',
    name: '字典数据',
    sought: 'value',
    into: sql`
      insert into dict_data (dict_type, label, value, sort, remark)
      select 'common_status', 'n' || n, 'many' || n, n % 7, repeat('长', 300)`,
  },
  {
    path: '/infra/config',
    permission: 'infra:config:export',
    subject: 'config',
    name: '参数配置',
    sought: 'key',
    into: sql`
      insert into config (category, name, key, value, remark)
      select 'custom', 'n' || n, 'many' || n, 'v', repeat('长', 300)`,
  },
  {
    path: '/system/login-log',
    permission: 'system:login-log:export',
    subject: 'login_log',
    name: '登录日志',
    sought: 'username',
    into: sql`
      insert into login_log (type, username, result, ip, user_agent, trace_id)
      select 'LOGIN', 'many' || n, 'SUCCESS', '10.1.2.3', repeat('长', 300), 't'`,
  },
  {
    path: '/system/operate-log',
    permission: 'system:operate-log:export',
    subject: 'audit_log',
    name: '操作日志',
    sought: 'userName',
    into: sql`
      insert into audit_log (username, action, result, after, hash)
      select 'many' || n, 'test:many:update', 200, jsonb_build_object('remark', repeat('长', 300)), '\\x00'`,
  },
]
