import type { Alarm } from '@tocsin/protocol/alarm'
import { expect, test } from 'vitest'
import { oneAtATime } from '../fallback.ts'

const alarm = (eventId: string) => ({ eventId }) as Alarm

test('sends stored alarms one after the other, each once while it is queued', async () => {
  const under: { eventId: string; done: () => void }[] = []
  const send = oneAtATime(({ eventId }) => new Promise((done) => under.push({ eventId, done })))
  for (const eventId of ['a', 'b', 'c', 'b']) send(alarm(eventId))
  const order: string[] = []
  for (let post = under.shift(); post; post = under.shift()) {
    expect(under).toEqual([])
    order.push(post.eventId)
    // A request on its way may be repeated: its answer can be lost.
    if (post.eventId === 'b' && order.length === 2) send(alarm('b'))
    post.done()
    await new Promise(setImmediate)
  }
  expect(order).toEqual(['a', 'b', 'c', 'b'])
})
