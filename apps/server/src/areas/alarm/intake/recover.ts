import { machine, type RecordState, selfEndingClasses } from '@tocsin/contract/alarm/machine'
import type { WarnRule } from '@tocsin/contract/alarm/rule'
import { wordsFor } from '#areas/alarm/verb/device-ack'
import type { Scene } from '#areas/alarm/verb/scene'
import { carryOut, nothingProposed } from '#areas/alarm/verb/verb'
import { attach, type Intake, type Landed, signalEntry, type Wanted } from './book.ts'
import { isOpen } from './find.ts'
import { conditionMark, type Recovers } from './mark.ts'
import { dedupKey, type Match } from './match.ts'
import type { Locked } from './write.ts'

const endsByItself = (record: Pick<Locked, 'class' | 'state' | 'condition'>, rule: WarnRule | null): boolean =>
  record.condition === 'RECOVERED' &&
  rule?.autoRecover === true &&
  selfEndingClasses.some((name) => name === record.class) &&
  (machine.recover.from as readonly RecordState[]).includes(record.state)

/** Ends a record whose condition is over, where its rule and class allow it (invariant 3). */
const end = async ({ trx, all, source, book }: Intake, record: Locked): Promise<Locked> => {
  await book.write()
  const scene: Scene = { trx, all, record, by: 'system', now: source.now }
  // What somebody proposed that nobody confirmed is not how it ended.
  const set = { ...nothingProposed, disposition: 'AUTO_RECOVERED' } as const
  const after = await carryOut(scene, 'recover', { set, stage: null })
  // With everything else that is written of devices, last.
  const { receipts, events } = book.sheet()
  const told = await wordsFor(scene, 'closed')
  receipts.push(...told.receipts)
  events.push(...told.events)
  return book.keep(after)
}

/** What was raised by a signal whose recovery had overtaken it ends at once. */
export const recoverNow = async (intake: Intake, landed: Landed, { rule }: Match): Promise<Landed> => {
  const { record } = landed
  return record && endsByItself(record, rule) ? { ...landed, record: await end(intake, record) } : landed
}

type Recovering = Pick<Intake, 'source' | 'heard'>

/** How a signal ends a rule's condition: by a recovery code, or by being heard at all where silence was the alarm. */
const endings = ({ heard }: Recovering, rule: WarnRule): Recovers | undefined => {
  if (rule.shadow) return undefined
  if (rule.condition === 'NO_DATA' && rule.matchCodes.includes(heard.code))
    return { ...rule, matchCodes: [], recoverCodes: rule.matchCodes }
  return rule.recoverCodes.includes(heard.code) ? rule : undefined
}

export const recoveredBy = (intake: Recovering, rules: readonly WarnRule[]): WarnRule[] =>
  rules.filter((rule) => endings(intake, rule) !== undefined)

/** The keys under which a rule may have raised what this signal recovers: whatever is heard ends the whole silence. */
const keysOf = ({ source, heard }: Recovering, rule: WarnRule): Wanted[] => {
  const zones = rule.condition === 'NO_DATA' && rule.dedupBy === 'ZONE' ? new Set([heard.zone, null]) : [heard.zone]
  return [...zones].map((zone) => ({ key: dedupKey({ ...source, zone }, rule), mode: heard.mode, raises: false }))
}

/** The keys under which this signal may find something to recover. */
export const recoveredKeys = (intake: Recovering, rules: readonly WarnRule[]): Wanted[] =>
  recoveredBy(intake, rules).flatMap((rule) => keysOf(intake, rule))

type Found = { record: Locked; rule: WarnRule; how: Recovers }

const affected = async (intake: Intake, rules: readonly WarnRule[]): Promise<Found[]> => {
  const found: Found[] = []
  for (const rule of rules) {
    const how = endings(intake, rule)
    for (const wanted of how ? keysOf(intake, rule) : []) {
      const record = await intake.book.latest(wanted)
      if (how && record && isOpen(record) && record.ruleId === rule.id) found.push({ record, rule, how })
    }
  }
  return found.toSorted((a, b) => a.record.id - b.record.id)
}

/**
 * A signal that tells of a recovery: the open records of the rules it recovers are marked, or end by themselves. A
 * signal belongs to one record only (invariant 1).
 * @param landed where the signal went already, when it also raised something.
 * @returns undefined when there was nothing to recover and the signal is still nowhere.
 */
export const recover = async (
  intake: Intake,
  rules: readonly WarnRule[],
  landed?: Landed,
): Promise<Landed | undefined> => {
  const { book, source } = intake
  let at = landed
  for (const { record, rule, how } of await affected(intake, rules)) {
    if (at?.record?.id === record.id) continue
    const change = { patch: conditionMark(intake, record, how), entries: [signalEntry(intake, 'recovery')] }
    const marked = at ? book.change(record.id, { at: source.now, ...change }) : attach(intake, record, change)
    const after = endsByItself(marked, rule) ? await end(intake, marked) : marked
    at = {
      fresh: false,
      record: after,
      ...at,
      events: [...(at?.events ?? []), { type: 'alarm.changed', ref: record.id }],
    }
  }
  return at
}
