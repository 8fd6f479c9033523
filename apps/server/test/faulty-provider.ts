import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'

type Answer = { status?: number; body: unknown }
export type HeldCall = {
  /** Of the channel: the action of a cloud, else the path. */
  name: string
  headers: IncomingHttpHeaders
  body: string
  answer: (answer: Answer) => void
  /** Settles when the caller has given up or was answered. */
  closed: Promise<void>
}

/** @returns the port. */
const listen = async (server: Server): Promise<number> => {
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  return (server.address() as AddressInfo).port
}

const send = (response: ServerResponse, { status = 200, body }: Answer) =>
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))

/** The providers of every HTTP channel on loopback. Calls without an `answer` stay open until the test answers them. */
export const openFaultyProvider = async () => {
  const calls: HeldCall[] = []
  const state: { answer: (name: string) => Answer | undefined } = { answer: () => undefined }
  const server = createServer((request, response) => {
    const closed = new Promise<void>((resolve) => void response.once('close', resolve))
    void text(request).then((body) => {
      const name = String(request.headers['x-acs-action'] ?? request.url?.slice(1).split('?')[0])
      calls.push({ name, headers: request.headers, body, answer: (given) => void send(response, given), closed })
      const answer = state.answer(name)
      if (answer) send(response, answer)
    })
  })
  const origin = `http://127.0.0.1:${await listen(server)}`
  return {
    origin,
    calls,
    state,
    close: () => {
      server.closeAllConnections()
      return new Promise((closed) => server.close(closed))
    },
  }
}

/** A server of raw bytes; `talk` writes to each connection. */
export const openRawServer = async (talk: (socket: Socket) => void) => {
  const sockets = new Set<Socket>()
  const server = createTcpServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket))
    talk(socket)
  })
  const port = await listen(server)
  return {
    port,
    sockets,
    close: () => {
      for (const socket of sockets) socket.destroy()
      return new Promise((closed) => server.close(closed))
    },
  }
}
