import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type ChaosProxy, startProxy } from './chaos-proxy.ts'
import { waitUntil } from './wait-until.ts'

let server: Server
let proxy: ChaosProxy
let heard: string[]
const clients: Socket[] = []

beforeEach(async () => {
  heard = []
  server = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.on('data', (bytes) => {
      heard.push(String(bytes))
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

test('passes both directions on while nothing is wrong', async () => {
  const { client, got } = await dial()
  client.write('hello')
  await waitUntil('the answer', () => got.length > 0)
  expect(got).toEqual(['answer to hello'])
})

test('half-open takes bytes and connections and passes nothing on, and mending ends what was mute', async () => {
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
  expect(heard).toEqual(['before', 'after'])
  expect([got, late.got]).toEqual([['answer to before'], []])
})

test('dropping ends connections and takes no new one until mended', async () => {
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

test('a cut lets the pattern through, split over two chunks too, and never its answer', async () => {
  const { client, got, closed } = await dial()
  const cut = proxy.cut({ after: Buffer.from('commit'), nth: 2 })
  client.write('commit one')
  await waitUntil('the answer', () => got.length === 1)
  client.write('com')
  await waitUntil('the answer', () => got.length === 2)
  client.write('mit two')
  await Promise.all([cut, closed])
  await waitUntil('the target to hear it', () => heard.length === 3)
  expect(heard.join('|')).toBe('commit one|com|mit two')
  expect(got).toHaveLength(2)
})

test('a cut counts only on the connections it is meant for', async () => {
  const one = await dial()
  one.client.write('reader')
  const two = await dial()
  two.client.write('writer')
  await waitUntil('both to be known', () => one.got.length + two.got.length === 2)
  const cut = proxy.cut({ after: Buffer.from('commit'), of: (opening) => opening.includes('writer') })
  one.client.write('commit')
  await waitUntil('the answer', () => one.got.length === 2)
  two.client.write('commit')
  await Promise.all([cut, two.closed])
  expect(one.client.destroyed).toBe(false)
})

test('delays what comes back', async () => {
  const { client, got } = await dial()
  proxy.delay(50)
  const begin = performance.now()
  client.write('slow')
  await waitUntil('the answer', () => got.length > 0)
  expect(performance.now() - begin).toBeGreaterThan(90)
})
