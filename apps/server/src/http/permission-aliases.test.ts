import { endpoints } from '@tocsin/contract/all'
import { describe, expect, it } from 'vitest'
import { withPermissionAliases, impliedPermissions } from './permission-aliases.ts'

const requests = new Set(endpoints.map(({ permission }) => permission as string))

describe('permission aliases of the compatibility API', () => {
  it.each([
    ['sys:user:add', ['system:user:create']],
    ['sys:user:edit', ['system:user:update']],
    ['sys:user:import', ['system:user:import']],
    ['sys:user:password:reset', ['system:user:update-password']],
    ['sys:user:query', ['system:user:list', 'system:user:query']],
    ['sys:role:query', ['system:role:query']],
    ['sys:config:add', ['infra:config:create']],
    ['sys:config:update', ['infra:config:update']],
    ['sys:config:refresh', ['infra:config:refresh']],
    ['sys:notice:publish', ['system:notice:publish']],
    ['infra:login-log:query', ['system:login-log:query']],
  ])('%s gives what it gives there', (spelling, given) => {
    expect(impliedPermissions([spelling])).toEqual(given)
    expect([...withPermissionAliases([spelling])]).toEqual(expect.arrayContaining([spelling, ...given]))
  })

  it.each([
    'system:user:create',
    'infra:config:update',
    'sys:user:create',
    'sys:user:update',
    'sys:user:security',
    'sys:user:approve',
    'sys:permission:assign-user-role',
    'infra:user:query',
    'sys:dict:add',
    'sys:dict-data:add',
    'sys:add',
    '',
  ])('%s gives nothing more', (spelling) => expect(impliedPermissions([spelling])).toEqual([]))

  it('grants the whole for both halves of the dictionary', () =>
    expect(impliedPermissions(['sys:dict:add', 'sys:dict-data:add', 'sys:dict:edit'])).toEqual(['system:dict:create']))

  it('stand for permissions that calls require, and for no others', () => {
    const family = [...requests].flatMap((permission) =>
      [...withPermissionAliases([permission])].filter((aliase) => !requests.has(aliase)),
    )
    const given = family.flatMap((spelling) => impliedPermissions([spelling]))
    expect(given.length).toBeGreaterThan(30)
    expect(given.filter((permission) => !requests.has(permission))).toEqual([])
  })
})
