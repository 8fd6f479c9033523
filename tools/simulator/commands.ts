import type { Command } from '@tocsin/protocol/command'
import type { Reply } from '@tocsin/protocol/reply'
import type { TickScheduler } from './tick-scheduler.ts'

const REMEMBERED = 100
const WORK_MS = 300

export type Outcome = { state: 'SUCCEEDED' | 'FAILED'; result: Record<string, unknown> }

export type CommandOptions = {
  wheel: TickScheduler
  /** Wall clock in ms, as `expiresAt`. */
  wallNow: () => number
  reply: (reply: Reply) => void
  carryOut: (command: Command) => Outcome
}

/** Idempotent by commandId: the server sends what is pending again on every subscribe, the deed is done once. */
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
