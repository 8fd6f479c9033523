import fc from 'fast-check'
import type { Alarm } from '@tocsin/protocol/alarm'
import type { DeviceEvent } from '@tocsin/protocol/event'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { alarm, event, type IntakeFixture, openIntakeFixture } from '../../../test/intake-fixture.ts'
import { seedRules } from './rule-seed.ts'
import { sampleSize } from '../../../test/sample-size.ts'

let world: IntakeFixture
beforeAll(async () => {
  world = await openIntakeFixture()
  await seedRules(world.db)
})
afterAll(() => world.end())

type Message = Alarm | DeviceEvent
const alarmWords = ['PANIC', 'PANIC_SILENT', 'MEDICAL', 'CANCEL', 'DURESS_CANCEL'] as const
const eventWords = ['MAINS_LOST', 'MAINS_RESTORED', 'TAMPER', 'TAMPER_RESTORED', 'MANUAL_RESET', 'BOOT'] as const
const isAlarm = (word: string): word is (typeof alarmWords)[number] =>
  alarmWords.some((alarmWord) => alarmWord === word)
const isEvent = (word: string): word is (typeof eventWords)[number] =>
  eventWords.some((eventWord) => eventWord === word)

/** Signals in the order of the device, twenty seconds apart so that they form no burst, then shuffled and repeated. */
const spoken = (words: readonly string[], mode: 'LIVE' | 'TEST'): Message[] =>
  words.map((word, i) => {
    const more = { mode, ts: Date.now() - 20_000 * (words.length - i), replay: true }
    if (isAlarm(word)) return alarm(word, i + 1, more)
    if (isEvent(word)) return event(word, i + 1, more)
    throw new Error(word)
  })

const sentences = (words: readonly string[]) =>
  fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 8 }).chain((said) =>
    fc.record({
      said: fc.constant(said),
      mode: fc.constantFrom('LIVE' as const, 'TEST' as const),
      // Order of arrival: every index at least once, in any order, some repeated.
      arrival: fc.tuple(
        fc.shuffledSubarray([...said.keys()], { minLength: said.length }),
        fc.array(fc.nat({ max: said.length - 1 }), { maxLength: 4 }),
      ),
    }),
  )

const runs = { numRuns: sampleSize(60) }

const play = async ({
  said,
  mode,
  arrival: [order, again],
}: {
  said: string[]
  mode: 'LIVE' | 'TEST'
  arrival: [number[], number[]]
}) => {
  const deviceId = await world.button()
  const messages = spoken(said, mode)
  const answers = new Map<string, string>()
  for (const i of [...order, ...again]) {
    const message = messages[i] as Message
    const { signalId, recordNo } = await world.say(deviceId, message)
    const answer = `${signalId} ${recordNo}`
    expect(answers.get(message.eventId) ?? answer).toBe(answer)
    answers.set(message.eventId, answer)
  }
  return { deviceId, messages, records: await world.recordsOf(deviceId) }
}

const lastOf = (words: readonly string[], of: readonly string[]) => words.findLast((word) => of.includes(word))

describe('signals in any order with repeats', { timeout: 120_000 }, () => {
  it('gives each signal one record or one reason, one open record per key, open panic records and separate modes', async () => {
    await fc.assert(
      fc.asyncProperty(sentences([...alarmWords, ...eventWords]), async (sentence) => {
        const { deviceId, messages, records } = await play(sentence)
        const signals = await world.signalsOf(deviceId)
        // Invariants 1 and 6.
        expect(signals.map(({ eventId }) => eventId).sort()).toEqual(messages.map(({ eventId }) => eventId).sort())
        for (const { recordId, suppressed } of signals) expect(recordId === null).toBe(suppressed !== null)
        // Invariant 2.
        const open = records.filter((record) => record.open)
        expect(new Set(open.map(({ dedupKey }) => dedupKey)).size).toBe(open.length)
        // Invariant 3.
        const human = records.filter((record) => record.class !== 'DEVICE_HEALTH')
        expect(human.every(({ state }) => state === 'NEW')).toBe(true)
        // Invariants 4, 7 and 8.
        for (const record of records) {
          expect(record.mode).toBe(sentence.mode)
          expect(await world.brokenLink(record.id)).toBeUndefined()
          const stages = (await world.logOf(record.id)).flatMap(({ toState }) => toState ?? [])
          expect(stages.at(-1)).toBe(record.state)
        }
      }),
      runs,
    )
  })

  it('leaves a panic record in the state that the device reported last (X25)', async () => {
    const words = ['PANIC', 'PANIC_SILENT', 'CANCEL', 'MANUAL_RESET'] as const
    await fc.assert(
      fc.asyncProperty(sentences(words), async (sentence) => {
        const { records } = await play(sentence)
        const presses = sentence.said.filter((word) => word.startsWith('PANIC'))
        expect(records).toHaveLength(presses.length > 0 ? 1 : 0)
        if (!records[0]) return
        const silent = presses.includes('PANIC_SILENT')
        const reset = lastOf(sentence.said, ['PANIC', 'PANIC_SILENT', 'MANUAL_RESET']) === 'MANUAL_RESET'
        expect({ ...records[0], reset: records[0].resetAt !== null }).toMatchObject({
          state: 'NEW',
          class: 'PANIC',
          level: silent ? 1 : 2,
          silent,
          code: silent ? 'PANIC_SILENT' : 'PANIC',
          occurrenceCount: presses.length,
          pressCount: presses.length,
          presserCancelled: lastOf(sentence.said, ['PANIC', 'PANIC_SILENT', 'CANCEL']) === 'CANCEL',
          reset,
          condition: reset ? 'RECOVERED' : 'ACTIVE',
        })
      }),
      runs,
    )
  })

  it('ends a condition exactly when the latest signal of the device says so (X25)', async () => {
    const words = ['MAINS_LOST', 'MAINS_RESTORED', 'TAMPER', 'TAMPER_RESTORED'] as const
    await fc.assert(
      fc.asyncProperty(sentences(words), async (sentence) => {
        const { records } = await play(sentence)
        for (const [lost, restored, end] of [
          ['MAINS_LOST', 'MAINS_RESTORED', 'RESOLVED'],
          ['TAMPER', 'TAMPER_RESTORED', 'NEW'],
        ] as const) {
          const of = records.filter(({ code }) => code === lost)
          expect(of).toHaveLength(sentence.said.includes(lost) ? 1 : 0)
          if (!of[0]) continue
          const over = lastOf(sentence.said, [lost, restored]) === restored
          expect(of[0]).toMatchObject({ condition: over ? 'RECOVERED' : 'ACTIVE', state: over ? end : 'NEW' })
          expect(of[0].occurrenceCount).toBe(sentence.said.filter((word) => word === lost).length)
        }
      }),
      runs,
    )
  })
})
