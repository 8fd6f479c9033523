import { z } from 'zod'
import { OtaProgress } from '@tocsin/protocol/transfer'
import type { Command } from '@tocsin/protocol/command'
import type { Reply } from '@tocsin/protocol/reply'
import type { TickScheduler } from './tick-scheduler.ts'

const REMEMBERED = 100
const WORK_MS = 300

export type Outcome = { state: 'SUCCEEDED' | 'FAILED'; result: Record<string, unknown> }

export type CommandOptions = {
  wheel: TickScheduler
  /** Wall clock in ms, like `expiresAt`. */
  wallNow: () => number
  reply: (reply: Reply) => void
  carryOut: (command: Command) => Outcome
}

/**
 * Idempotent by commandId: the server sends pending commands again on every subscribe, and the device runs each once.
 */
export const createCommandHandler = ({ wheel, wallNow, reply, carryOut }: CommandOptions) => {
  const last = new Map<string, Reply>()
  const say = (said: Reply): void => {
    last.set(said.commandId, said)
    reply(said)
  }
  return {
    take: (command: Command): void => {
      const { commandId } = command
      const before = last.get(commandId)
      if (before) return reply(before)
      if (command.expiresAt <= wallNow()) return say({ commandId, state: 'FAILED', result: { reason: 'EXPIRED' } })
      const [oldest] = last.keys()
      if (last.size >= REMEMBERED && oldest !== undefined) last.delete(oldest)
      say({ commandId, state: 'ACCEPTED' })
      wheel.after(WORK_MS, () => say({ commandId, ...carryOut(command) }))
    },
  }
}

/** What an UPDATE command carries that the reports repeat. */
const UpdatePayload = z.object({
  rolloutId: OtaProgress.shape.rolloutId,
  kind: OtaProgress.shape.type,
  version: OtaProgress.shape.version,
  rollback: z.literal(true).optional(),
})

/** One state each two seconds: fast enough to watch. */
const STEP_MS = 2_000
const updateSteps = ['INITIATED', 'DOWNLOADING', 'DOWNLOADED', 'VERIFIED', 'UPDATING', 'UPDATED'] as const
const failedSteps = ['INITIATED', 'DOWNLOADING', 'FAILED'] as const

type Wheel = { after: (ms: number, run: () => void) => unknown }

/**
 * Reports an update as a device does on up/ota; it succeeds unless `failure` names its error. @returns whether the payload
 * can be read.
 */
export const reportUpdate = (
  { payload }: Pick<Command, 'payload'>,
  {
    wheel,
    publish,
    failure,
  }: { wheel: Wheel; publish: (progress: OtaProgress) => unknown; failure?: string | undefined },
): boolean => {
  const wanted = UpdatePayload.safeParse(payload)
  if (!wanted.success) return false
  const { rolloutId, kind: type, version, rollback } = wanted.data
  const steps = rollback ? (['ROLLED_BACK'] as const) : failure ? failedSteps : updateSteps
  for (const [at, state] of steps.entries()) {
    const progress = { rolloutId, type, version, state, ...(state === 'FAILED' && { error: failure }) }
    wheel.after((at + 1) * STEP_MS, () => void publish(progress))
  }
  return true
}
