import { sql } from 'kysely'
import type { WarnRuleDraft } from '@tocsin/contract/alarm/rule'
import type { Db } from '#db/db'

type Seed = Pick<WarnRuleDraft, 'name' | 'matchCodes' | 'class' | 'level'> & Partial<WarnRuleDraft>

/** Of heard words only certain ones are urgent, and only when said again within ten seconds, or loud (domain 6.7). */
const certain = { minConfidence: 0.8 } as const
const heardTwice = { condition: 'REPEAT', repeatCount: 2, withinSec: 10, priority: 50, ...certain } as const
const heardLoud = { minDb: 85, priority: 40, ...certain } as const

const human: Seed[] = [
  { name: '紧急报警', matchCodes: ['PANIC'], class: 'PANIC', level: 2 },
  { name: '静默紧急报警', matchCodes: ['PANIC_SILENT'], class: 'PANIC', level: 1 },
  { name: '胁迫取消', matchCodes: ['DURESS_CANCEL'], class: 'PANIC', level: 1 },
  { name: '医疗求助', matchCodes: ['MEDICAL'], class: 'MEDICAL', level: 2 },
  { name: '手动火警', matchCodes: ['FIRE_MANUAL'], class: 'FIRE', level: 1 },
  { name: '对讲呼叫', matchCodes: ['INTERCOM'], class: 'VOICE', level: 2 },
]

const machineHeard: Seed[] = [
  { name: '语音求救（高声）', matchCodes: ['VOICE_HELP'], class: 'VOICE', level: 1, ...heardLoud },
  { name: '语音求救（重复）', matchCodes: ['VOICE_HELP'], class: 'VOICE', level: 1, ...heardTwice },
  { name: '语音求救', matchCodes: ['VOICE_HELP'], class: 'VOICE', level: 3 },
  { name: '语音欺凌（高声）', matchCodes: ['VOICE_ABUSE'], class: 'BULLY', level: 1, ...heardLoud },
  { name: '语音欺凌（重复）', matchCodes: ['VOICE_ABUSE'], class: 'BULLY', level: 1, ...heardTwice },
  { name: '语音欺凌', matchCodes: ['VOICE_ABUSE'], class: 'BULLY', level: 3 },
  { name: '暴力声响（高声）', matchCodes: ['SOUND_VIOLENCE'], class: 'VOICE', level: 1, ...heardLoud },
  { name: '暴力声响（重复）', matchCodes: ['SOUND_VIOLENCE'], class: 'VOICE', level: 1, ...heardTwice },
  { name: '暴力声响', matchCodes: ['SOUND_VIOLENCE'], class: 'VOICE', level: 3 },
  { name: '入侵报警', matchCodes: ['INTRUSION'], class: 'INTRUSION', level: 2, dedupBy: 'ZONE' },
]

const health = (name: string, code: string, level: number, recover?: string): Seed => ({
  name,
  matchCodes: [code],
  class: 'DEVICE_HEALTH',
  level,
  ...(recover && { recoverCodes: [recover], autoRecover: true }),
})

const deviceHealth: Seed[] = [
  health('设备离线', 'OFFLINE', 2, 'ONLINE'),
  health('设备频繁上下线', 'FLAPPING', 3, 'FLAPPING_ENDED'),
  health('主电丢失', 'MAINS_LOST', 3, 'MAINS_RESTORED'),
  health('电池电量低', 'BATTERY_LOW', 3, 'BATTERY_OK'),
  health('设备故障', 'FAULT', 3, 'FAULT_CLEARED'),
  health('自检未通过', 'SELF_TEST_FAILED', 3, 'SELF_TEST'),
  health('消息序号缺失', 'SEQ_GAP', 4),
  health('消息过多被丢弃', 'MESSAGES_DROPPED', 3),
  // Two that know one secret: somebody looks, without haste.
  health('同一设备重复连接', 'TAKEN_OVER', 4),
  // Somebody opened the device: that it is closed again does not end the matter (GB 50394, 5.2.4).
  { ...health('设备防拆', 'TAMPER', 2, 'TAMPER_RESTORED'), autoRecover: false },
]

export const seededRules: readonly Seed[] = [...human, ...machineHeard, ...deviceHealth]

const bring = async (trx: Db, rule: Seed): Promise<void> => {
  const row = await trx
    .insertInto('warnRule')
    .values({ dedupBy: 'DEVICE', ...rule })
    // People's own rule of that name wins.
    .onConflict((conflict) => conflict.column('name').doNothing())
    .returning('id')
    .executeTakeFirst()
  if (row)
    await trx
      .insertInto('seeded')
      .values({ key: `rule/${rule.name}`, rowId: row.id })
      .execute()
}

/** Brings each default rule once in the life of the database: edited, renamed or deleted, it is left alone. */
export const seedRules = (db: Db): Promise<void> =>
  db.transaction().execute(async (trx) => {
    await sql`lock table seeded in exclusive mode`.execute(trx)
    const marks = await trx.selectFrom('seeded').select('key').where('key', 'like', 'rule/%').execute()
    const brought = new Set(marks.map(({ key }) => key))
    for (const rule of seededRules) if (!brought.has(`rule/${rule.name}`)) await bring(trx, rule)
  })
