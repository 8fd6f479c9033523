import { Aedes } from 'aedes'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'

// The same broker library without our code, in a process of its own: the limit of MQTT alone on this machine.
const aedes = await Aedes.createBroker()
const server = createServer({ noDelay: true }, aedes.handle)
server.listen(0, '127.0.0.1')
await once(server, 'listening')
// A TCP server's address has a port.
process.stdout.write(`${(server.address() as AddressInfo).port}\n`)
