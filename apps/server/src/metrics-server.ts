import { createServer, type Server } from 'node:http'
import { once } from 'node:events'
import type { ListenAddress } from './config.ts'
import { registry } from './metrics.ts'

/** Serves `/metrics` on its own listener, so that it can be kept off the console's network. */
export const serveMetrics = async ({ host, port }: ListenAddress): Promise<Server> => {
  const server = createServer((request, response) => {
    if (request.method !== 'GET' || request.url !== '/metrics') return response.writeHead(404).end()
    return registry.metrics().then(
      (text) => response.writeHead(200, { 'content-type': registry.contentType }).end(text),
      () => response.writeHead(500).end(),
    )
  })
  server.listen(port, host)
  await once(server, 'listening')
  return server
}
