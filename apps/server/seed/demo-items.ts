import type { Db } from '#db/db'
import { unscoped } from '#db/scope'

type Item = { name: string; kind: string; tags: string[]; price: number; progress: number; icon: string }

/** Rows for several pages of the demo lists. Prices in fen. */
const items: readonly Item[] = [
  { name: '校门防冲撞柱', kind: 'GOODS', tags: ['安防', '户外'], price: 128_000, progress: 100, icon: 'ep:guide' },
  { name: '一键报警按钮', kind: 'GOODS', tags: ['安防', '报警'], price: 36_800, progress: 85, icon: 'ep:bell' },
  { name: '应急照明灯', kind: 'GOODS', tags: ['消防'], price: 9_900, progress: 60, icon: 'ep:sunny' },
  { name: '灭火器年检', kind: 'SERVICE', tags: ['消防', '年检'], price: 4_500, progress: 40, icon: 'ep:tools' },
  { name: '监控巡检', kind: 'SERVICE', tags: ['巡检'], price: 52_000, progress: 75, icon: 'ep:video-camera' },
  { name: '广播系统维护', kind: 'SERVICE', tags: ['维护'], price: 30_000, progress: 20, icon: 'ep:microphone' },
  { name: '消防演练', kind: 'EVENT', tags: ['演练', '消防'], price: 0, progress: 100, icon: 'ep:flag' },
  { name: '防欺凌宣讲', kind: 'EVENT', tags: ['宣讲'], price: 0, progress: 50, icon: 'ep:chat-dot-round' },
  { name: '开学安全检查', kind: 'EVENT', tags: ['检查'], price: 0, progress: 90, icon: 'ep:calendar' },
  { name: '家长开放日', kind: 'EVENT', tags: ['开放日'], price: 0, progress: 10, icon: 'ep:user' },
  { name: '访客登记机', kind: 'GOODS', tags: ['安防'], price: 268_000, progress: 30, icon: 'ep:postcard' },
  { name: '失物招领', kind: 'OTHER', tags: [], price: 0, progress: 0, icon: 'ep:box' },
]

export const buildItems = async (trx: Db, deptId: number): Promise<void> => {
  const rows = items.map((item, at) => ({ ...item, deptId, sort: at + 1, enabled: at % 5 !== 4 }))
  await unscoped(trx, 'the seed acts for nobody in particular').insertInto('demoItem').values(rows).execute()
}
