import { isOpenByState } from '#areas/device/button-test/open-records'
import { isOpen, type LockedRecord, type PendingWrites } from './pending-writes.ts'
import { isOfPlace, lockRecordsOfDevice } from './find-records.ts'
import { cancelColumns, resetColumns } from './recover.ts'
import { isButtonPress, latestOfButton } from './signal-history.ts'
import { attachSignal, type SignalContext, signalLogEntry, type SignalOutcome, suppressSignal } from './unit-of-work.ts'

/** Whether the button is latched after this signal; undefined when the signal says nothing about it. */
const buttonState = (context: SignalContext, record: Pick<LockedRecord, 'class'> | null) => {
  const { signal, history, clock } = context
  if (history.duplicate || (!isButtonPress(signal, record?.class) && signal.code !== 'MANUAL_RESET')) return undefined
  const { code, occurredAt } = latestOfButton(context)
  const latched = code !== 'MANUAL_RESET'
  return { latched, resetAt: latched ? null : (occurredAt ?? clock.occurredAt) }
}

/** What the signal shows of its device: that it lives, its clock, and whether its button is latched. */
export const deviceStateRows = (
  context: SignalContext,
  record: Pick<LockedRecord, 'class'> | null,
): PendingWrites['seen'] => {
  const { source, signal, clock, history } = context
  const isCopy = signal.via === 'HTTP' && history.duplicate
  const isCall = (signal.kind === 'ALARM' || signal.kind === 'UNPARSABLE') && !isCopy
  const button = buttonState(context, record)
  if (!isCall && !button) return []
  return [{ deviceId: source.deviceId, at: source.now, ...(isCall && clock.measured), ...button }]
}

/**
 * Tells the screens of other open records of the button that it is not reset any more. Only a press after a reset, while
 * another record is open, needs the read.
 */
export const announceLatch = async (context: SignalContext, record: LockedRecord | null): Promise<void> => {
  const { all, source, unitOfWork } = context
  if (source.latched !== false || !buttonState(context, record)?.latched) return
  const others = await all
    .selectFrom('warnRecord')
    .select(['id as ref', 'schoolId', 'deptId'])
    .where('deviceId', '=', source.deviceId)
    .where('class', '=', 'PANIC')
    .where(isOpenByState)
    .where('id', '!=', record?.id ?? 0)
    .orderBy('id')
    .execute()
  unitOfWork.writes().events.push(...others.map((other) => ({ type: 'alarm.changed' as const, ...other })))
}

const isOwn = ({ source }: SignalContext, { deviceId }: LockedRecord): boolean => deviceId === source.deviceId

/** Notes a cancel on the latest open record of the device at its place. It never ends a record (domain 6.8, GB 50394). */
export const noteCancel = async (context: SignalContext): Promise<SignalOutcome> => {
  const record = (await lockRecordsOfDevice(context)).find(isOpen)
  if (!record) return suppressSignal(context, 'INFORMATION')
  // On a shared record a device changes only the status of its own records.
  const patch = isOwn(context, record) ? cancelColumns(context, record.id) : {}
  const after = attachSignal(context, record, { patch, entries: [signalLogEntry(context, 'cancel')] })
  return { record: after, created: false, events: [{ type: 'alarm.changed', ref: after.id }] }
}

/** All open panic records of the button, else the last one that waits for a review. */
const panicsOf = (found: readonly LockedRecord[]): readonly LockedRecord[] => {
  const panics = found.filter((item) => item.class === 'PANIC')
  const open = panics.filter(isOpen)
  return open.length > 0 ? open : panics.slice(0, 1)
}

/**
 * Notes a manual reset on the panic records of the button, wherever it hung when they were raised. The signal belongs to
 * one of the present place (invariant 1); the others only log it. It never ends a record.
 */
export const noteReset = async (context: SignalContext): Promise<SignalOutcome> => {
  const { unitOfWork, source } = context
  const panics = panicsOf(await lockRecordsOfDevice(context, true))
  const record = panics.find((item) => item.mode === context.signal.mode && isOfPlace(context, item))
  const change = (of: LockedRecord) => ({
    patch: isOwn(context, of) ? resetColumns(context) : {},
    entries: [signalLogEntry(context, 'reset')],
  })
  const outcome = record ? attachSignal(context, record, change(record)) : undefined
  for (const other of panics.filter((item) => item !== record && isOwn(context, item))) {
    const { id: ref, schoolId, deptId } = unitOfWork.change(other.id, { at: source.now, ...change(other) })
    unitOfWork.writes().events.push({ type: 'alarm.changed', ref, schoolId, deptId })
  }
  if (!outcome) return suppressSignal(context, 'INFORMATION')
  return { record: outcome, created: false, events: [{ type: 'alarm.changed', ref: outcome.id }] }
}
