import { afterAll, beforeAll, expect, it } from 'vitest'
import { type AdminServer, startAdminServer } from '../../../../test/admin-server.ts'
import type { RoleCode } from './roles.ts'

let admin: AdminServer
beforeAll(async () => {
  admin = await startAdminServer(() => [])
})
afterAll(() => admin.end())

/**
 * What each built-in role gives, written down a second time: nobody can take back what a seed gave them by mistake. The
 * system administrator holds everything without being given it.
 */
const table: Record<RoleCode, Record<string, string>> = {
  super_admin: {},
  edu_bureau: {
    'bully:merchant-user': 'create export query',
    'demo:dict': 'query',
    'demo:document': 'query',
    'demo:icon-selector': 'query',
    'demo:icons': 'query',
    'demo:item': 'create delete export import query update',
    'demo:level-one': 'query',
    'demo:level-three': 'query',
    'demo:level-two': 'query',
    'demo:route-param': 'query',
    'demo:signature': 'query update',
    'demo:table-select': 'query',
    'demo:talk': 'query send',
    'demo:text': 'query update',
    'demo:upload': 'create query',
    'device:device': 'export query',
    'device:model': 'query',
    'device:school-device': 'export query',
    'device:test': 'query',
    'infra:file': 'create delete query',
    'school:place': 'query',
    'school:school': 'query',
    'system:notice': 'create delete publish query revoke update',
    'warn:log': 'export query',
    'warn:record': 'export query',
    'warn:rule': 'export query',
  },
  school_admin: {
    'bully:merchant-user': 'create export query',
    'device:command': 'create query',
    'device:device': 'query',
    'device:model': 'query',
    'device:school-device': 'accept export query suspend',
    'device:test': 'create query',
    'infra:file': 'create delete query',
    'school:place': 'query',
    'school:school': 'query reveal',
    'system:notice': 'create delete publish query revoke update',
    'warn:log': 'export query',
    'warn:record':
      'claim close dispatch escalate export false lead merge query reassign release reopen resolve shelve verify',
    'warn:rule': 'export query',
  },
  safety_officer: {
    'device:device': 'query',
    'device:school-device': 'accept query',
    'device:test': 'create query',
    'school:place': 'query',
    'school:school': 'query reveal',
    'warn:log': 'query',
    'warn:record': 'claim close dispatch escalate false merge query reassign release resolve verify',
  },
  guard: {
    'device:school-device': 'accept query',
    'device:test': 'query',
    'school:place': 'query',
    'school:school': 'query reveal',
    'warn:log': 'query',
    'warn:record': 'claim dispatch escalate query reassign release resolve verify',
  },
  // About bullying and nothing else.
  counsellor: {
    'bully:merchant-user': 'query',
  },
  command_operator: {
    'device:device': 'query',
    'device:school-device': 'query',
    'school:place': 'query',
    'school:school': 'query reveal',
    'warn:log': 'query',
    'warn:record': 'claim close dispatch escalate false merge query reassign release resolve verify',
    'warn:rule': 'query',
  },
  shift_lead: {
    'demo:dict': 'query',
    'demo:document': 'query',
    'demo:icon-selector': 'query',
    'demo:icons': 'query',
    'demo:item': 'create delete export import query update',
    'demo:level-one': 'query',
    'demo:level-three': 'query',
    'demo:level-two': 'query',
    'demo:route-param': 'query',
    'demo:signature': 'query update',
    'demo:table-select': 'query',
    'demo:talk': 'query send',
    'demo:text': 'query update',
    'demo:upload': 'create query',
    'device:command': 'create query',
    'device:device': 'query',
    'device:model': 'query',
    'device:school-device': 'query',
    'infra:file': 'create delete query',
    'school:place': 'query',
    'school:school': 'query reveal',
    'system:notice': 'create delete publish query revoke update',
    'warn:log': 'export query',
    'warn:record':
      'claim close dispatch escalate export false lead merge query reassign release reopen resolve shelve verify',
    'warn:rule': 'export query',
  },
  station_desk: {
    'device:device': 'query',
    'device:school-device': 'query',
    'device:test': 'query',
    'school:place': 'query',
    'school:school': 'query reveal',
    'warn:log': 'query',
    'warn:record': 'claim close dispatch escalate false merge query reassign release resolve verify',
  },
  officer: {
    'device:school-device': 'query',
    'device:test': 'query',
    'school:place': 'query',
    'school:school': 'query reveal',
    'warn:log': 'query',
    'warn:record': 'dispatch query',
  },
  maintainer: {
    'device:command': 'create query',
    'device:device': 'allocate create export import lost message quarantine query repair retire secret update',
    'device:model': 'create delete export query update',
    'device:school-device': 'export install query remove suspend',
    'device:test': 'create query',
    'school:place': 'query',
    'school:school': 'query',
  },
  supervisor: {
    'device:device': 'query',
    'device:model': 'query',
    'device:school-device': 'export query',
    'school:place': 'query',
    'school:school': 'query',
    'warn:log': 'export query',
    'warn:record': 'export query',
    'warn:rule': 'export query',
  },
  security_admin: {
    'infra:config': 'query update',
    'system:dept': 'query',
    'system:menu': 'query',
    'system:online-session': 'delete query',
    'system:permission': 'assign-role-data-scope assign-role-menu assign-user-role',
    'system:role': 'create delete export query update',
    'system:user': 'export list query security update-password',
  },
  auditor: {
    'bully:merchant-user': 'export query',
    'device:command': 'query',
    'device:device': 'export query',
    'device:model': 'export query',
    'device:school-device': 'export query',
    'infra:config': 'export query',
    'infra:file': 'query',
    'school:place': 'query',
    'school:school': 'query',
    'system:dept': 'query',
    'system:dict': 'export query',
    'system:login-log': 'export query',
    'system:menu': 'query',
    'system:notice': 'query',
    'system:online-session': 'query',
    'system:operate-log': 'export query',
    'system:role': 'export query',
    'system:user': 'export list query',
    'warn:log': 'export query',
    'warn:record': 'export query',
    'warn:rule': 'export query',
  },
  // Of another system: it reads alarms and what they name, and changes nothing.
  api_client: {
    'device:school-device': 'query',
    'infra:api-docs': 'query',
    'school:place': 'query',
    'school:school': 'query',
    'warn:log': 'query',
    'warn:record': 'query',
  },
}

it('each built-in role gives what the table says, and nothing else', async () => {
  const rows = await admin.all
    .selectFrom('role')
    .leftJoin('roleMenu', 'roleMenu.roleId', 'role.id')
    .leftJoin('menu', 'menu.id', 'roleMenu.menuId')
    .select(['role.code', 'menu.permission'])
    .where('role.builtIn', '=', true)
    .execute()
  const given = Map.groupBy(rows, ({ code }) => code)
  const seeded = [...given].map(([code, its]) => [code, its.flatMap(({ permission }) => permission || []).sort()])
  const written = Object.entries(table).map(([code, entities]) => [
    code,
    Object.entries(entities).flatMap(([entity, verbs]) => verbs.split(' ').map((verb) => `${entity}:${verb}`)),
  ])
  expect(Object.fromEntries(seeded)).toEqual(Object.fromEntries(written))
})
