import { machine, type RecordState, selfEndingClasses } from '@tocsin/contract/alarm/machine'
import type { WarnRule } from '@tocsin/contract/alarm/rule'
import { appendLog } from '#areas/alarm/log'
import { carryOut } from '#areas/alarm/verb/verb'
import { lockOpen } from './find.ts'
import { conditionMark, type Recovers } from './mark.ts'
import { dedupKey, type Match } from './match.ts'
import { attach, type Intake, type Landed, type Locked, signalEntry } from './write.ts'

const endsByItself = (record: Pick<Locked, 'class' | 'state' | 'condition'>, rule: WarnRule | null): boolean =>
  record.condition === 'RECOVERED' &&
  rule?.autoRecover === true &&
  selfEndingClasses.some((name) => name === record.class) &&
  (machine.recover.from as readonly RecordState[]).includes(record.state)

/** Ends a record whose condition is over, where its rule and class allow it (invariant 3). */
const end = ({ trx, all, source }: Intake, record: Locked): Promise<Locked> =>
  carryOut({ trx, all, record, by: 'system', now: source.now }, 'recover', { set: { disposition: 'AUTO_RECOVERED' } })

/** What was raised by a signal whose recovery had overtaken it ends at once. */
export const recoverNow = async (intake: Intake, landed: Landed, { rule }: Match): Promise<Landed> => {
  const { record } = landed
  return record && endsByItself(record, rule) ? { ...landed, record: await end(intake, record) } : landed
}

/** How a signal ends a rule's condition: by a recovery code, or by being heard at all where silence was the alarm. */
const endings = ({ heard }: Intake, rule: WarnRule): Recovers | undefined => {
  if (rule.shadow) return undefined
  if (rule.condition === 'NO_DATA' && rule.matchCodes.includes(heard.code))
    return { matchCodes: [], recoverCodes: rule.matchCodes }
  return rule.recoverCodes.includes(heard.code) ? rule : undefined
}

export const recoveredBy = (intake: Intake, rules: readonly WarnRule[]): WarnRule[] =>
  rules.filter((rule) => endings(intake, rule) !== undefined)

type Found = { record: Locked; rule: WarnRule; how: Recovers }

const affected = async (intake: Intake, rules: readonly WarnRule[]): Promise<Found[]> => {
  const subject = { ...intake.source, zone: intake.heard.zone }
  const ways = rules.flatMap((rule) => {
    const how = endings(intake, rule)
    return how ? [{ rule, how, key: dedupKey(subject, rule) }] : []
  })
  if (ways.length === 0) return []
  const open = await lockOpen(
    intake,
    ways.map(({ key }) => key),
  )
  return open.flatMap((record) => {
    const way = ways.find(({ rule, key }) => record.dedupKey === key && record.ruleId === rule.id)
    return way ? [{ record, ...way }] : []
  })
}

const marked = async (intake: Intake, { record, how }: Found): Promise<{ signalId: number; record: Locked }> =>
  attach(intake, record, {
    patch: conditionMark(intake, record.id, how),
    entries: [signalEntry(intake, 'recovery')],
  })

/** The same for a further record of the same signal: a signal belongs to one record only (invariant 1). */
const markedToo = async (intake: Intake, { record, how }: Found): Promise<Locked> => {
  const patch = conditionMark(intake, record.id, how)
  await intake.all.updateTable('warnRecord').set(patch).where('id', '=', record.id).execute()
  await appendLog(intake.all, record.id, signalEntry(intake, 'recovery'))
  // The patch holds plain values only.
  return { ...record, ...(patch as Pick<Locked, 'condition'>) }
}

/**
 * A signal that tells of a recovery: the open records of the rules it recovers are marked, or end by themselves.
 * @param landed where the signal went already, when it also raised something.
 * @returns undefined when there was nothing to recover and the signal is still nowhere.
 */
export const recover = async (
  intake: Intake,
  rules: readonly WarnRule[],
  landed?: Landed,
): Promise<Landed | undefined> => {
  let at = landed
  for (const found of await affected(intake, rules)) {
    if (at?.record?.id === found.record.id) continue
    const { signalId, record } = at
      ? { signalId: at.signalId, record: await markedToo(intake, found) }
      : await marked(intake, found)
    const after = endsByItself(record, found.rule) ? await end(intake, record) : record
    const events = [...(at?.events ?? []), { type: 'alarm.changed' as const, ref: record.id }]
    at = { fresh: false, record: after, ...at, signalId, events }
  }
  return at
}
