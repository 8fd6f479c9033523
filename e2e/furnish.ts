import { randomBytes } from 'node:crypto'
import { buildItems } from '../apps/server/seed/demo-items.ts'
import { makeRecord } from '../apps/server/seed/make-record.ts'
import { makeUser } from '../apps/server/seed/make.ts'
import { everything } from '../apps/server/src/db/scope.ts'
import type { Site } from './stage/site.ts'
import type { World } from './stage/world.ts'

/** Something for each list to show that is empty on the first day. */
export const furnish = async (site: Site, world: World): Promise<void> => {
  const all = everything(site.db, 'e2e')
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
  const table = { tableName: 'dict_type', comment: null, title: '词表', titleEn: 'Words', area: 'system' } as const
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
