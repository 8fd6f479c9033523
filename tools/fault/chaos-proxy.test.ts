import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type ChaosProxy, startProxy } from './chaos-proxy.ts'
import { waitUntil } from './wait-until.ts'

let server: Server
let proxy: ChaosProxy
let received: string[]
const clients: Socket[] = []

beforeEach(async () => {
  received = []
  server = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.on('data', (bytes) => {
      received.push(String(bytes))
      socket.write(`answer to ${String(bytes)}`)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  proxy = await startProxy({ host: '127.0.0.1', port: (server.address() as AddressInfo).port })
})

afterEach(async () => {
  for (const client of clients.splice(0)) client.destroy()
  await proxy.close()
  server.close()
})

const dial = async () => {
  const client = connect(proxy.port, '127.0.0.1')
  clients.push(client)
  client.on('error', () => undefined)
  const got: string[] = []
  client.on('data', (bytes) => got.push(String(bytes)))
  await once(client, 'connect')
  return { client, got, closed: new Promise((done) => client.once('close', done)) }
}

test('forwards both directions without a fault', async () => {
  const { client, got } = await dial()
  client.write('hello')
  await waitUntil('the answer', () => got.length > 0)
  expect(got).toEqual(['answer to hello'])
})

test('accepts bytes and connections but forwards nothing when half-open, and ends silent connections when repaired', async () => {
  const { client, got, closed } = await dial()
  client.write('before')
  await waitUntil('the answer', () => got.length > 0)
  proxy.halfOpen()
  client.write('lost')
  const late = await dial()
  late.client.write('lost too')
  proxy.mend()
  await Promise.all([closed, late.closed])
  const again = await dial()
  again.client.write('after')
  await waitUntil('the answer', () => again.got.length > 0)
  expect(received).toEqual(['before', 'after'])
  expect([got, late.got]).toEqual([['answer to before'], []])
})

test('ends connections and accepts no new one while dropping, until repaired', async () => {
  const { closed } = await dial()
  proxy.drop()
  await closed
  const refused = await dial()
  await refused.closed
  expect(proxy.count()).toBe(0)
  proxy.mend()
  const { client, got } = await dial()
  client.write('again')
  await waitUntil('the answer', () => got.length > 0)
})

test('forwards the pattern of a cut, also when it spans two chunks, and never the answer', async () => {
  const { client, got, closed } = await dial()
  const cut = proxy.cut({ after: Buffer.from('commit'), nth: 2 })
  client.write('commit one')
  await waitUntil('the answer', () => got.length === 1)
  client.write('com')
  await waitUntil('the answer', () => got.length === 2)
  client.write('mit two')
  await Promise.all([cut, closed])
  await waitUntil('the target to hear it', () => received.length === 3)
  expect(received.join('|')).toBe('commit one|com|mit two')
  expect(got).toHaveLength(2)
})

test('counts a cut only on the connections that it selects', async () => {
  const result = await dial()
  result.client.write('reader')
  const two = await dial()
  two.client.write('writer')
  await waitUntil('both to be known', () => result.got.length + two.got.length === 2)
  const cut = proxy.cut({ after: Buffer.from('commit'), of: (opening) => opening.includes('writer') })
  result.client.write('commit')
  await waitUntil('the answer', () => result.got.length === 2)
  two.client.write('commit')
  await Promise.all([cut, two.closed])
  expect(result.client.destroyed).toBe(false)
})

test('delays the answers', async () => {
  const { client, got } = await dial()
  proxy.delay(50)
  const begin = performance.now()
  client.write('slow')
  await waitUntil('the answer', () => got.length > 0)
  expect(performance.now() - begin).toBeGreaterThan(90)
})
