import { randomBytes } from 'node:crypto'
import { buildItems } from '../apps/server/seed/demo-items.ts'
import { makeRecord } from '../apps/server/seed/record-fixtures.ts'
import { makeUser } from '../apps/server/seed/fixtures.ts'
import { unscoped } from '../apps/server/src/db/scope.ts'
import type { E2eServer } from './setup/e2e-server.ts'
import type { E2eFixture } from './setup/e2e-fixture.ts'

/** Creates rows for lists that are empty on the first day. */
export const seedListRows = async (site: E2eServer, world: E2eFixture): Promise<void> => {
  const all = unscoped(site.db, 'e2e')
  const { id: schoolId, deptId, name: schoolName } = world.east
  const at = { schoolId, deptId, schoolName, placePath: '教学楼 / 1层 / 101室' }
  await makeRecord(site.db, at)
  await makeRecord(site.db, { ...at, state: 'CLOSED', mode: 'DRILL', level: 2 })
  await buildItems(site.db, deptId)
  const { id: userId } = await makeUser(site.db, { username: 'shop.east', nickname: '小卖部', type: 'SCHOOL', deptId })
  await all.insertInto('merchantProfile').values({ userId, schoolId, jobTitle: '店主' }).execute()
  const notice = { title: '停水', content: '<p>正文</p>', type: '5', target: 'ALL', deptId } as const
  await all
    .insertInto('notice')
    .values([notice, { ...notice, state: 'PUBLISHED', publishedAt: new Date() }])
    .execute()
  const tried = { type: 'LOGIN', result: 'BAD_PASSWORD', userAgent: 'x', traceId: 't', ip: '10.1.2.3' } as const
  await all
    .insertInto('loginLog')
    .values({ ...tried, username: 'somebody' })
    .execute()
  const table = { tableName: 'dict_type', comment: null, title: '词表', titleEn: 'Words', area: 'school' } as const
  await site.db
    .insertInto('codegenTable')
    .values({ ...table, entity: 'wordList', sight: 'OPEN', template: 'SINGLE' })
    .execute()
  const owner = { purpose: 'LIBRARY', ownerId: world.admin.id, ownerName: world.admin.nickname } as const
  await all
    .insertInto('file')
    .values({ ...owner, name: '说明.txt', type: 'text/plain', size: 1, sha256: randomBytes(32) })
    .execute()
}
