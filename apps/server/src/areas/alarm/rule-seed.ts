import { sql } from 'kysely'
import type { WarnRuleDraft } from '@tocsin/contract/alarm/rule'
import type { Db } from '#db/db'

type Seed = Pick<WarnRuleDraft, 'name' | 'matchCodes' | 'class' | 'level'> & Partial<WarnRuleDraft>

/** Only certain keywords are urgent, and only when repeated within ten seconds or loud (domain 6.7). */
const certain = { minConfidence: 0.8 } as const
const heardTwice = { condition: 'REPEAT', repeatCount: 2, withinSec: 10, priority: 50, ...certain } as const
const heardLoud = { minDb: 85, priority: 40, ...certain } as const

const human: Seed[] = [
  { name: '紧急报警', matchCodes: ['PANIC'], class: 'PANIC', level: 2 },
  { name: '静默报警', matchCodes: ['PANIC_SILENT'], class: 'PANIC', level: 1 },
  { name: '胁迫取消', matchCodes: ['DURESS_CANCEL'], class: 'PANIC', level: 1 },
  { name: '医疗急救', matchCodes: ['MEDICAL'], class: 'MEDICAL', level: 2 },
  { name: '手动火警', matchCodes: ['FIRE_MANUAL'], class: 'FIRE', level: 1 },
  { name: '对讲呼叫', matchCodes: ['INTERCOM'], class: 'VOICE', level: 2 },
]

const machineHeard: Seed[] = [
  { name: '语音求助（高声）', matchCodes: ['VOICE_HELP'], class: 'VOICE', level: 1, ...heardLoud },
  { name: '语音求助（重复）', matchCodes: ['VOICE_HELP'], class: 'VOICE', level: 1, ...heardTwice },
  { name: '语音求助', matchCodes: ['VOICE_HELP'], class: 'VOICE', level: 3 },
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
  { ...health('大面积离线', 'OUTAGE', 2, 'OUTAGE_ENDED'), dedupBy: 'ZONE' },
  health('设备频繁上下线', 'FLAPPING', 3, 'FLAPPING_ENDED'),
  health('主电丢失', 'MAINS_LOST', 3, 'MAINS_RESTORED'),
  health('电池电量低', 'BATTERY_LOW', 3, 'BATTERY_OK'),
  health('设备故障', 'FAULT', 3, 'FAULT_CLEARED'),
  health('自检未通过', 'SELF_TEST_FAILED', 3, 'SELF_TEST'),
  health('消息序号缺失', 'SEQ_GAP', 4),
  health('消息过多被丢弃', 'MESSAGES_DROPPED', 3),
  // Two devices use one secret: somebody checks, without urgency.
  health('同一设备重复连接', 'TAKEN_OVER', 4),
  health('连接参数不合规', 'CONNECT_FAULT', 4, 'CONNECT_FAULT_CLEARED'),
  // Somebody opened the device. Closing it again does not end the matter (GB 50394, 5.2.4).
  { ...health('设备防拆', 'TAMPER', 2, 'TAMPER_RESTORED'), autoRecover: false },
]

export const seededRules: readonly Seed[] = [...human, ...machineHeard, ...deviceHealth]

/** By the Chinese name. */
const englishNames: Readonly<Record<string, string>> = {
  紧急报警: 'Emergency alarm',
  静默报警: 'Silent emergency alarm',
  胁迫取消: 'Cancel under duress',
  医疗急救: 'Medical help',
  手动火警: 'Manual fire alarm',
  对讲呼叫: 'Intercom call',
  '语音求助（高声）': 'Call for help (loud)',
  '语音求助（重复）': 'Call for help (repeated)',
  语音求助: 'Call for help',
  '语音欺凌（高声）': 'Bullying heard (loud)',
  '语音欺凌（重复）': 'Bullying heard (repeated)',
  语音欺凌: 'Bullying heard',
  '暴力声响（高声）': 'Sound of violence (loud)',
  '暴力声响（重复）': 'Sound of violence (repeated)',
  暴力声响: 'Sound of violence',
  入侵报警: 'Intrusion',
  设备离线: 'Device offline',
  大面积离线: 'Many devices offline',
  设备频繁上下线: 'Device flapping',
  主电丢失: 'Mains power lost',
  电池电量低: 'Battery low',
  设备故障: 'Device fault',
  自检未通过: 'Self-test failed',
  消息序号缺失: 'Gap in message numbers',
  消息过多被丢弃: 'Messages dropped',
  同一设备重复连接: 'Device connected twice',
  连接参数不合规: 'Connection parameters not compliant',
  设备防拆: 'Device tampered with',
}

const bring = async (trx: Db, rule: Seed): Promise<void> => {
  const row = await trx
    .insertInto('warnRule')
    .values({ dedupBy: 'DEVICE', nameEn: englishNames[rule.name] ?? null, ...rule })
    // A rule of that name that people created is kept.
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  if (row)
    await trx
      .insertInto('seeded')
      .values({ key: `rule/${rule.name}`, rowId: row.id })
      .execute()
}

/** Creates each default rule once in the life of the database. Edited, renamed or deleted ones are left alone. */
export const seedRules = (db: Db): Promise<void> =>
  db.transaction().execute(async (trx) => {
    await sql`lock table seeded in exclusive mode`.execute(trx)
    const marks = await trx.selectFrom('seeded').select('key').where('key', 'like', 'rule/%').execute()
    const brought = new Set(marks.map(({ key }) => key))
    for (const rule of seededRules) if (!brought.has(`rule/${rule.name}`)) await bring(trx, rule)
  })
