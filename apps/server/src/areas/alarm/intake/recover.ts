import { stateMachine, type RecordState, autoClosableClasses } from '@tocsin/contract/alarm/state-machine'
import type { WarnRule } from '@tocsin/contract/alarm/rule'
import { stageMessages } from '#areas/alarm/verb/device-ack'
import type { VerbContext } from '#areas/alarm/verb/verb-context'
import { applyOutcome, clearedProposal } from '#areas/alarm/verb/execute-verb'
import { attachSignal, type SignalContext, type SignalOutcome, signalLogEntry, type RecordKey } from './unit-of-work.ts'
import { isOpen } from './find-records.ts'
import { conditionColumns, type RecoveryRule } from './status-columns.ts'
import { dedupKey, type Match } from './match.ts'
import type { LockedRecord } from './pending-writes.ts'

const endsByItself = (record: Pick<LockedRecord, 'class' | 'state' | 'condition'>, rule: WarnRule | null): boolean =>
  record.condition === 'RECOVERED' &&
  rule?.autoRecover === true &&
  autoClosableClasses.some((name) => name === record.class) &&
  (stateMachine.recover.from as readonly RecordState[]).includes(record.state)

/** Ends a record whose condition is over, where its rule and class allow it (invariant 3). */
const end = async ({ trx, all, source, book }: SignalContext, record: LockedRecord): Promise<LockedRecord> => {
  await book.write()
  const scene: VerbContext = { trx, all, record, by: 'system', now: source.now }
  // What somebody proposed that nobody confirmed is not how it ended.
  const set = { ...clearedProposal, disposition: 'AUTO_RECOVERED' } as const
  const after = await applyOutcome(scene, 'recover', { set, stage: null })
  // With everything else that is written of devices, last.
  const { receipts, events } = book.sheet()
  const told = await stageMessages(scene, 'closed')
  receipts.push(...told.receipts)
  events.push(...told.events)
  return book.keep(after)
}

/** What was raised by a signal whose recovery had overtaken it ends at once. */
export const endIfAlreadyRecovered = async (
  intake: SignalContext,
  landed: SignalOutcome,
  { rule }: Match,
): Promise<SignalOutcome> => {
  const { record } = landed
  return record && endsByItself(record, rule) ? { ...landed, record: await end(intake, record) } : landed
}

type Recovering = Pick<SignalContext, 'source' | 'heard'>

/** How a signal ends a rule's condition: by a recovery code, or by being heard at all where silence was the alarm. */
const endings = ({ heard }: Recovering, rule: WarnRule): RecoveryRule | undefined => {
  if (rule.shadow) return undefined
  if (rule.condition === 'NO_DATA' && rule.matchCodes.includes(heard.code))
    return { ...rule, matchCodes: [], recoverCodes: rule.matchCodes }
  return rule.recoverCodes.includes(heard.code) ? rule : undefined
}

export const rulesRecoveredBy = (intake: Recovering, rules: readonly WarnRule[]): WarnRule[] =>
  rules.filter((rule) => endings(intake, rule) !== undefined)

/** The keys under which a rule may have raised what this signal recovers: whatever is heard ends the whole silence. */
const keysOf = ({ source, heard }: Recovering, rule: WarnRule): RecordKey[] => {
  const zones = rule.condition === 'NO_DATA' && rule.dedupBy === 'ZONE' ? new Set([heard.zone, null]) : [heard.zone]
  return [...zones].map((zone) => ({ key: dedupKey({ ...source, zone }, rule), mode: heard.mode, raises: false }))
}

/** The keys under which this signal may find something to recover. */
export const recoveryKeys = (intake: Recovering, rules: readonly WarnRule[]): RecordKey[] =>
  rulesRecoveredBy(intake, rules).flatMap((rule) => keysOf(intake, rule))

type Found = { record: LockedRecord; rule: WarnRule; how: RecoveryRule }

const affected = async (intake: SignalContext, rules: readonly WarnRule[]): Promise<Found[]> => {
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
export const applyRecovery = async (
  intake: SignalContext,
  rules: readonly WarnRule[],
  landed?: SignalOutcome,
): Promise<SignalOutcome | undefined> => {
  const { book, source } = intake
  let at = landed
  for (const { record, rule, how } of await affected(intake, rules)) {
    if (at?.record?.id === record.id) continue
    const change = { patch: conditionColumns(intake, record, how), entries: [signalLogEntry(intake, 'recovery')] }
    const marked = at ? book.change(record.id, { at: source.now, ...change }) : attachSignal(intake, record, change)
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
