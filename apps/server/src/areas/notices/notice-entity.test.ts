import { codes } from '@tocsin/contract/codes'
import { notices } from '@tocsin/contract/notices/notice'
import { afterAll, beforeAll } from 'vitest'
import { type AdminServer, startAdminServer } from '../../../test/admin-server.ts'
import { testEntity } from '../../../test/entity.ts'
import { noticeCalls } from './routes.ts'

let admin: AdminServer
beforeAll(async () => {
  admin = await startAdminServer((db) => noticeCalls.routes({ db }))
})
afterAll(() => admin.end())

let made = 0
const draft = (userId: number) => {
  made += 1
  const text = { title: `通知${made}`, type: '1', level: 'M', content: '<p>内容</p>', remark: '备注' }
  return { ...text, target: 'USER', deptIds: [], userIds: [userId] }
}

testEntity(() => admin, {
  of: notices,
  subject: 'notice',
  missing: codes.noticeMissing,
  draft: ({ here }) => draft(here.userId),
  change: { title: '改', content: '<p>改</p>', remark: null },
  wrong: { title: '', content: '<p><br></p>', type: 'unheard', target: 'SOME' },
  elsewhere: { draft: ({ there }) => draft(there.userId), references: ['userIds'] },
})
