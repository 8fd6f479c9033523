import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeDept, makeUser } from '../../../seed/fixtures.ts'
import { openJobFixture, type JobFixture } from '../../../test/job-fixture.ts'
import type { Row } from '#db/tables'
import { unscoped } from '#db/scope'

// A data scope shows one set of users and departments in every call that lists, counts, offers or exports them. The
// viewer `sc.me` is of the east; every other user is named after the department.

type Scope = Row<'role'>['dataScope']
type Place = 'east' | 'office' | 'eastSchool' | 'west' | 'westSchool'
type Given = [scope: Scope, ...chosen: Place[]]

const password = 'Maple-river-42'
const permissions = [
  ...['list', 'query', 'export'].map((verb) => `system:user:${verb}`),
  'system:dept:query',
  'bully:merchant-user:query',
  'bully:merchant-user:export',
]

let fixture: JobFixture
let places: Record<Place, number>
let people: Record<string, number>
let me: { token: string }
let roles: number[]
const all = () => unscoped(fixture.db, 'test')

beforeAll(async () => {
  fixture = await openJobFixture()
  const { db, east, west, eastSchool, westSchool } = fixture
  const office = await makeDept(db, { name: '东区科室', parentId: east.id })
  const schools = { eastSchool: eastSchool.deptId, westSchool: westSchool.deptId }
  places = { east: east.id, office: office.id, west: west.id, ...schools }
  for (const [place, deptId] of Object.entries(places))
    await makeUser(db, { username: `sc.${place}`, nickname: `sc.${place}`, deptId })
  for (const [name, school] of Object.entries({ eastSchool, westSchool })) {
    const names = { username: `sc.of.${name}`, nickname: `sc.of.${name}` }
    await fixture.post('/bully/merchant-user/create', { ...names, password, schoolId: school.id })
  }
  const codes = ['first', 'second']
  roles = await Promise.all(codes.map(async (code) => (await fixture.makeRole(code, { permissions })).id))
  await makeUser(db, { username: 'sc.me', nickname: 'sc.me', password, deptId: east.id, roles: codes })
  const found = await all().selectFrom('users').select(['id', 'username']).where('username', 'like', 'sc.%').execute()
  people = Object.fromEntries(found.map(({ id, username }) => [username, id]))
  expect(found).toHaveLength(8)
  me = await fixture.signedIn('sc.me')
})
afterAll(() => fixture.close())

/** Gives the viewer roles of these scopes; a scope without roles is SELF, which adds nothing. */
const see = async (given: readonly Given[]) => {
  for (const [at, id] of roles.entries()) {
    const [dataScope, ...chosen] = given[at] ?? (['SELF'] as Given)
    await all().updateTable('role').set({ dataScope }).where('id', '=', id).execute()
    await all().deleteFrom('roleDept').where('roleId', '=', id).execute()
    for (const place of chosen)
      await all().insertInto('roleDept').values({ roleId: id, deptId: places[place] }).execute()
  }
  fixture.forget()
}

const namesIn = (data: unknown) => [...new Set(JSON.stringify(data).match(/(?<=")sc\.[\w.]+(?=")/g) ?? [])].sort()
const requestPath = async (path: string) => {
  const { code, data } = await fixture.get(path, me)
  expect([path, code]).toEqual([path, 200])
  return data
}
/** The names of a page, whose total must match. */
const paged = async (path: string) => {
  const data = await requestPath(`${path}&pageSize=50`)
  const names = namesIn(data['list'])
  expect([path, data['total'], data['list']]).toMatchObject([path, names.length, { length: names.length }])
  expect(await requestPath(`${path}&pageSize=1`)).toMatchObject({ total: names.length })
  return names
}
const exported = async (path: string) => {
  const [, ...lines] = await fixture.download(path, me)
  expect(lines).toHaveLength(namesIn(lines).length)
  return namesIn(lines)
}
/** The test departments in an answer, at any depth of a tree; no other may be in it. */
const deptsIn = (data: unknown, key: string) => {
  const ids = [...JSON.stringify(data).matchAll(new RegExp(`"${key}":"?(\\d+)`, 'g'))].map(([, id]) => Number(id))
  return ids.map((id) => Object.entries(places).find(([, place]) => place === id)?.[0] ?? id).sort()
}

const none: Place[] = []
const east: Place[] = ['east', 'eastSchool', 'office']
const cases: [Given[], Place[]][] = [
  [[['SELF']], none],
  [[['CUSTOM', 'west']], ['east', 'west']],
  [[['CUSTOM', 'eastSchool', 'westSchool']], ['east', 'eastSchool', 'westSchool']],
  [[['CUSTOM']], ['east']],
  [
    [['CUSTOM', 'office'], ['SELF']],
    ['east', 'office'],
  ],
  [
    [['CUSTOM', 'westSchool'], ['DEPT_AND_CHILD']],
    [...east, 'westSchool'],
  ],
  [[['DEPT']], ['east']],
  [[['DEPT_AND_CHILD']], east],
]

describe.each(cases)('%j', (given, seen) => {
  const inSight = (place: string) => (seen as string[]).includes(place.replace(/^sc\.(of\.)?/, ''))
  const expected = () =>
    Object.keys(people)
      .filter((name) => name === 'sc.me' || inSight(name))
      .sort()
  beforeAll(() => see(given))

  it('limits the users of a list and its total', async () => {
    expect(await paged('/system/user/page?username=sc.')).toEqual(expected())
    expect(await paged('/system/user/page?keywords=sc.')).toEqual(expected())
    expect(await paged('/api/v1/users/page?keywords=sc.')).toEqual(expected())
    // A department filter includes the visible departments below it.
    const [eastern, western] = [/(^|\.)(east|office|me)/, /(^|\.)west/]
    for (const [deptId, below] of [
      [places.east, eastern],
      [places.west, western],
    ] as const) {
      const names = expected().filter((name) => below.test(name))
      expect(await paged(`/system/user/page?deptId=${deptId}&username=sc.`)).toEqual(names)
      expect(await paged(`/api/v1/users/page?deptId=${deptId}&keywords=sc.`)).toEqual(names)
    }
  })

  it('limits the offered users', async () => {
    expect(namesIn(await requestPath('/system/user/simple-list'))).toEqual(expected())
    expect(namesIn(await requestPath('/system/user/list-all-simple'))).toEqual(expected())
    expect(namesIn(await requestPath('/api/v1/users/options'))).toEqual(expected())
    expect(namesIn(await requestPath('/system/user/simple-list?keywords=sc.'))).toEqual(expected())
    expect(namesIn(await requestPath(`/system/user/simple-list?ids=${Object.values(people).join()}`))).toEqual(
      expected(),
    )
  })

  it('limits the exported users', async () => {
    expect(await exported('/system/user/export?format=csv&username=sc.')).toEqual(expected())
    expect(await exported('/system/user/export?username=sc.')).toEqual(expected())
    expect(await exported('/system/user/export-excel?format=csv&keywords=sc.')).toEqual(expected())
    expect(await exported('/api/v1/users/export?keywords=sc.')).toEqual(expected())
  })

  it('limits the users read by their ids', async () => {
    for (const [name, id] of Object.entries(people))
      for (const path of [`/system/user/get?id=${id}`, `/api/v1/users/${id}/form`])
        expect([name, (await fixture.get(path, me)).code === 200]).toEqual([name, expected().includes(name)])
  })

  it('limits the accounts of schools, listed, counted and exported', async () => {
    const ofSchools = expected().filter((name) => name.startsWith('sc.of.'))
    expect(await paged('/bully/merchant-user/page?username=sc.')).toEqual(ofSchools)
    expect(await exported('/bully/merchant-user/export?format=csv&username=sc.')).toEqual(ofSchools)
  })

  it('limits the departments of a list, of a tree, and of a select', async () => {
    for (const [path, key] of [
      ['/system/dept/list', 'id'],
      ['/system/dept/simple-list', 'id'],
      ['/api/v1/dept', 'id'],
      ['/api/v1/dept/options', 'value'],
    ] as const)
      expect([path, deptsIn(await requestPath(path), key)]).toEqual([path, seen.toSorted()])
    for (const [place, id] of Object.entries(places))
      expect([place, (await fixture.get(`/system/dept/get?id=${id}`, me)).code === 200]).toEqual([
        place,
        inSight(place),
      ])
  })
})

it('shows all users with ALL, in a list, a total, a select and an export', async () => {
  await see([['ALL'], ['SELF']])
  const everybody = Object.keys(people).sort()
  expect(await paged('/system/user/page?username=sc.')).toEqual(everybody)
  expect(namesIn(await requestPath('/system/user/simple-list'))).toEqual(everybody)
  expect(await exported('/system/user/export?format=csv&username=sc.')).toEqual(everybody)
  expect(deptsIn(await requestPath('/system/dept/list'), 'id')).toEqual(expect.arrayContaining(Object.keys(places)))
})
