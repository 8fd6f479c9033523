import { type EnumLabels, type Lang, lookupLabel } from '@tocsin/contract/field'
import type { Db } from '#db/db'
import { unscoped } from '#db/scope'
import type { ExportCell } from '#http/csv'
import type { Actor } from '#http/route'
import type { ImportedLine, ImportTemplate, ResultColumns } from '#areas/files/import/importer'
import { canSeeDept } from '../roles/grant-guards.ts'
import { type UserLabels, userLabels } from '../people/user-labels.ts'
import { activationCode, activationHash } from '../sign-in/verification-code/activation.ts'

const pageNames = { depts: ['部门', 'Departments'], roles: ['角色', 'Roles'] } as const satisfies EnumLabels<string>
const MAX_LISTED_DEPTS = 5000

const samples = (deptId: number, { sex, status }: UserLabels): ExportCell[][] => [
  ['zhang.san', '张三', deptId, 'zhangsan@example.com', '13800000001', sex.MALE, status.on, '', ''],
  ['li.si', '李四', deptId, 'lisi@example.com', '13800000002', sex.FEMALE, status.on, '', ''],
]

const listHeads = {
  depts: { 'zh-cn': ['部门编号', '部门名称', '部门编码'], en: ['Department id', 'Department', 'Department code'] },
  roles: { 'zh-cn': ['角色标识', '角色名称'], en: ['Role code', 'Role name'] },
}

/** Two sample users to overwrite; beside them the departments and roles that may be named. */
export const userTemplate = async (db: Db, actor: Actor, lang: Lang): Promise<ImportTemplate> => {
  const words = await userLabels(db, lang)
  const { sex, status } = words
  const depts = await db
    .selectFrom('dept')
    .select(['id', 'name', 'code'])
    .where('enabled', '=', true)
    .orderBy('id')
    .execute()
  const roles = await db
    .selectFrom('role')
    .select(['code', 'name'])
    .where('enabled', '=', true)
    .orderBy('sort')
    .execute()
  const seen = depts.filter(({ id }) => canSeeDept(actor, id)).slice(0, MAX_LISTED_DEPTS)
  return {
    samples: samples(actor.deptId, words),
    choices: { sex: [sex.UNKNOWN, sex.MALE, sex.FEMALE], status: [status.on, status.off] },
    pages: [
      {
        name: lookupLabel(pageNames, 'depts', lang),
        heads: listHeads.depts[lang],
        rows: seen.map(({ id, name, code }) => [id, name, code]),
      },
      {
        name: lookupLabel(pageNames, 'roles', lang),
        heads: listHeads.roles[lang],
        rows: roles.map(({ code, name }) => [code, name]),
      },
    ],
  }
}

/** The codes of these lines' users that are neither used, expired nor replaced by a later one. */
const findCodeHashes = async (db: Db, lines: readonly ImportedLine[]) => {
  const ids = lines.flatMap(({ targetId, verdict, done }) => (done && verdict === 'CREATE' && targetId ? targetId : []))
  if (ids.length === 0) return []
  return unscoped(db, 'users that one’s own import created')
    .selectFrom('activationCode')
    .select(['userId', 'codeHash'])
    .where('userId', 'in', ids)
    .where('usedAt', 'is', null)
    .where('expiresAt', '>', new Date())
    .execute()
}

/** The activation code of each new user, as long as it is the valid one. */
export const activationCodeColumns = (db: Db, jobId: number): ResultColumns => {
  let hashes = new Map<number, Buffer>()
  const codeOf = ({ line, targetId }: ImportedLine): string | null => {
    const hash = targetId === null ? undefined : hashes.get(targetId)
    if (!hash) return null
    const code = activationCode(jobId, line)
    return activationHash(code).equals(hash) ? code : null
  }
  return {
    load: async (lines) => {
      hashes = new Map((await findCodeHashes(db, lines)).map(({ userId, codeHash }) => [userId, codeHash]))
    },
    columns: [{ title: '激活码', titleEn: 'Activation code', width: 22, cell: codeOf }],
  }
}
