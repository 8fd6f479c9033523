import { codes, type Code, type Params } from '@tocsin/contract/codes'
import type { UserRow } from '@tocsin/contract/access/user'
import { foldName, normalizeCode, normalizeText } from '@tocsin/contract/text'
import type { Db } from '#db/db'
import type { Actor } from '#http/route'
import { canSeeDept } from '../roles/grant-guards.ts'
import { userLabels } from '../people/user-labels.ts'

type Unfit = { code: Code; params?: Params }
export type Found<T> = { found: T } | { unfit: Unfit }

/** What the words of a spreadsheet stand for, as of the start of the check. */
export type Lookups = {
  dept: (text: string) => Found<number>
  roles: (text: string) => Found<number[]>
  sex: (text: string) => UserRow['sex'] | undefined
  status: (text: string) => boolean | undefined
}

const unfit = (code: Code, params?: Params): Found<never> => ({ unfit: { code, ...(params && { params }) } })

const deptsOf = async (db: Db, actor: Actor): Promise<Lookups['dept']> => {
  const all = await db.selectFrom('dept').select(['id', 'code', 'name', 'enabled']).execute()
  // Invisible rows do not exist, so that a name may be unique for this importer.
  const depts = all.filter(({ id }) => canSeeDept(actor, id))
  const byId = new Map(depts.map((dept) => [String(dept.id), dept]))
  const byCode = new Map(depts.flatMap((dept) => (dept.code ? [[dept.code, dept]] : [])))
  const byName = Map.groupBy(depts, ({ name }) => foldName(name))
  return (text) => {
    const named = byName.get(foldName(text)) ?? []
    const code = normalizeCode(text)
    const dept = byId.get(code) ?? byCode.get(code) ?? named[0]
    if (!dept) return unfit(codes.deptMissing)
    if (dept === named[0] && named.length > 1) return unfit(codes.importDeptName, { name: text })
    return dept.enabled ? { found: dept.id } : unfit(codes.deptDisabled, { name: dept.name })
  }
}

const rolesOf = async (db: Db): Promise<Lookups['roles']> => {
  const roles = await db.selectFrom('role').select(['id', 'code', 'name', 'enabled']).execute()
  // A code wins over a name, so it comes later.
  const known = new Map(
    [...roles.map((role) => [role.name, role] as const), ...roles.map((role) => [role.code, role] as const)].map(
      ([name, role]) => [foldName(name), role],
    ),
  )
  return (text) => {
    const found = new Set<number>()
    for (const name of text.split(/[,，、;；]/).map(normalizeText)) {
      if (name === '') continue
      const role = known.get(foldName(name))
      if (!role) return unfit(codes.importRole, { name })
      if (!role.enabled) return unfit(codes.roleDisabled, { name: role.name })
      found.add(role.id)
    }
    return { found: [...found].sort((a, b) => a - b) }
  }
}

export const readLookups = async (db: Db, actor: Actor): Promise<Lookups> => {
  const [dept, roles] = [await deptsOf(db, actor), await rolesOf(db)]
  // A spreadsheet may have been exported in either language.
  const worded = [await userLabels(db, 'en'), await userLabels(db, 'zh-cn')]
  const sexes = new Map<string, UserRow['sex']>([
    ...worded.flatMap(({ sex }) => (['UNKNOWN', 'MALE', 'FEMALE'] as const).map((word) => [sex[word], word] as const)),
    ...([
      ['0', 'UNKNOWN'],
      ['1', 'MALE'],
      ['2', 'FEMALE'],
      ['未知', 'UNKNOWN'],
      ['男', 'MALE'],
      ['女', 'FEMALE'],
      ['Unknown', 'UNKNOWN'],
      ['Male', 'MALE'],
      ['Female', 'FEMALE'],
    ] as const),
  ])
  const statuses = new Map([
    ...([
      ['0', true],
      ['1', false],
      ['开启', true],
      ['启用', true],
      ['正常', true],
      ['Enabled', true],
    ] as const),
    ...([
      ['关闭', false],
      ['停用', false],
      ['禁用', false],
      ['Disabled', false],
    ] as const),
    ...worded.flatMap(({ status }) => [[status.on, true] as const, [status.off, false] as const]),
  ])
  return {
    dept,
    roles,
    sex: (text) => sexes.get(normalizeCode(text)),
    status: (text) => statuses.get(normalizeCode(text)),
  }
}
