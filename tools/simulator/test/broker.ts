import { once } from 'node:events'
import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, createServer } from 'node:net'
import type { Alarm } from '@tocsin/protocol/alarm'
import { type DownMessage, decodeUp, encode, type UpMessage } from '@tocsin/protocol/decode'
import { httpKey, readSignHeaders, verifySign } from '@tocsin/protocol/sign'
import { type DownChannel, downTopic, parseUp, type UpChannel } from '@tocsin/protocol/topics'
import { Aedes } from 'aedes'
import type { Credential } from '../fleet-file.ts'

type Heard = { channel: UpChannel; sn: string; message: UpMessage[UpChannel] }

export const credential = (n: number): Credential => ({
  productKey: 'panic1',
  sn: `SN-${String(n).padStart(4, '0')}`,
  secret: new Uint8Array(32).fill(n),
})

/** Waits until a growing list has so many entries; the list itself wakes it, no clock does. */
const growing = <T>() => {
  const items: T[] = []
  const waiting: { enough: (items: T[]) => boolean; done: (items: T[]) => void }[] = []
  return {
    items,
    add: (item: T): void => {
      items.push(item)
      for (const item of waiting.filter(({ enough }) => enough(items))) {
        waiting.splice(waiting.indexOf(item), 1)
        item.done(items)
      }
    },
    until: (enough: (items: T[]) => boolean): Promise<T[]> =>
      new Promise((done) => {
        if (enough(items)) done(items)
        else waiting.push({ enough, done })
      }),
  }
}

/**
 * A real broker on a free port that checks credentials and acts as the platform: it sends receipts or withholds them.
 */
export const startBroker = async ({ receipts }: { receipts: boolean }) => {
  const aedes = await Aedes.createBroker()
  const server = createServer(aedes.handle)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const received = growing<Heard>()
  const state: { receipts: boolean; onAlarm?: (alarm: Alarm) => void } = { receipts }

  const say = <C extends DownChannel>(device: Credential, channel: C, message: DownMessage[C]): void => {
    const payload = Buffer.from(encode(message))
    const topic = downTopic(device, channel)
    aedes.publish({ cmd: 'publish', topic, payload, qos: 1, retain: false, dup: false }, () => undefined)
  }
  aedes.authenticate = (client, username, password, done) => {
    const n = Number(client.id.slice(3))
    const wanted = Buffer.from(credential(n).secret).toString('base64url')
    done(null, username === `panic1/${client.id}` && password?.toString() === wanted)
  }
  aedes.authorizePublish = (client, packet, done) => {
    const parsed = parseUp(packet.topic)
    if (!parsed) return done()
    const decoded = decodeUp(parsed.channel, packet.payload as Uint8Array)
    if (!decoded.ok) return done(new Error(`${packet.topic}: ${decoded.reason} ${decoded.field}`))
    if (client && client.id !== parsed.sn) return done(new Error('a device speaks for itself only'))
    const { message } = decoded
    received.add({ channel: parsed.channel, sn: parsed.sn, message })
    if ('code' in message) state.onAlarm?.(message)
    done()
    if (state.receipts && 'code' in message) {
      say(credential(Number(parsed.sn.slice(3))), 'ack', {
        eventId: message.eventId,
        stage: 'accepted',
        recordNo: 'W1',
      })
    }
  }
  return {
    mqtt: `mqtt://127.0.0.1:${(server.address() as AddressInfo).port}`,
    heard: received,
    say,
    of: <C extends UpChannel>(channel: C) =>
      received.items.filter((item) => item.channel === channel).map((item) => item.message as UpMessage[C]),
    onAlarm: (hear: (alarm: Alarm) => void) => {
      state.onAlarm = hear
    },
    giveReceipts: () => {
      state.receipts = true
    },
    close: async () => {
      await new Promise<void>((closed) => aedes.close(() => closed()))
      server.close()
    },
  }
}

/** The platform's HTTP fallback, which accepts only a valid signature. */
export const startHttp = async (device: Credential) => {
  const taken = growing<{ eventId: string; verified: boolean }>()
  const server = createHttpServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks)
      const headers = readSignHeaders(request.headers)
      const signed = { method: request.method ?? '', path: request.url ?? '', body }
      const verified =
        headers.ok &&
        headers.value.device.sn === device.sn &&
        verifySign(httpKey(device.secret), { ...signed, nonce: headers.value.nonce }, headers.value.sign)
      const alarm = decodeUp('alarm', body)
      const eventId = alarm.ok ? alarm.message.eventId : ''
      response.writeHead(verified ? 202 : 401, { 'content-type': 'application/json' })
      response.end(
        JSON.stringify({
          code: verified ? 200 : 401,
          msg: '',
          data: verified ? { stage: 'accepted', recordNo: 'W1' } : null,
        }),
      )
      taken.add({ eventId, verified })
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    http: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    taken,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
