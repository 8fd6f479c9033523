import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { type ChaosProxy, startProxy } from '../../../../tools/fault/chaos-proxy.ts'
import { createNode, type ServerNode } from '../../../../tools/fault/node.ts'
import {
  databaseUrl,
  newMasterKey,
  pressAtRate,
  type FaultSetup,
  createTempDir,
  startFaultSetup,
} from '../../../../tools/fault/fault-setup.ts'
import { makeDevices, openAccess, type HeartbeatTerms } from '../../../../tools/fault/fault-devices.ts'
import type { Fleet, FleetOptions } from '../../../../tools/simulator/fleet.ts'
import type { Credential } from '../../../../tools/simulator/fleet-file.ts'
import { cloneDatabase, type TestDatabase } from '../database.ts'

type FaultSetupOptions = Pick<FleetOptions, 'faults' | 'heartbeatSec' | 'reconnect'> & {
  devices: number
  terms?: HeartbeatTerms
}
type FaultServerOptions = FaultSetupOptions & {
  /** Proxy between the server and its database. */
  proxied?: boolean
  /** Environment of its nodes. */
  settings?: Record<string, string>
}

/** A server process with a database of its own, and devices. */
export type FaultServer = {
  database: TestDatabase
  node: ServerNode
  devices: Credential[]
  rig: FaultSetup
  /** Creates further devices in a new school. */
  more: (options: FaultSetupOptions) => Promise<FaultSetup>
  /** Devices of a school of their own that no test simulates. */
  makeDevices: (count: number) => Promise<Credential[]>
  /** Undefined unless requested. */
  proxy: ChaosProxy | undefined
  /**
   * Another server on the same database. Its application name shows there, unless proxied: then its pools have their
   * own.
   */
  another: (name: string) => Promise<ServerNode>
  end: () => Promise<void>
}

/** Devices that press until the test ends in any way. */
export const underLoad = (fleet: Fleet, rate: number): { stop: () => void } => {
  const load = pressAtRate(fleet, rate)
  onTestFinished(load.stop)
  return load
}

/** Z10: the server caught its own errors, whatever was broken. */
export const assertNoUncaughtErrors = (nodes: readonly ServerNode[]): void => {
  const uncaught = nodes.flatMap((node) => node.uncaught())
  if (uncaught.length > 0) throw new Error(`errors that nobody caught:\n${uncaught.join('\n')}`)
}

export const startFaultServer = async ({
  proxied = false,
  settings = {},
  ...options
}: FaultServerOptions): Promise<FaultServer> => {
  const { folder, drop } = createTempDir()
  const database = await cloneDatabase()
  const { owner } = database
  const key = newMasterKey()
  const socket = join(owner.host, `.s.PGSQL.${owner.port}`)
  const proxy = proxied ? await startProxy({ path: socket }) : undefined
  const seen = proxy ? { ...owner, host: '127.0.0.1', port: proxy.port } : owner
  const nodes: ServerNode[] = []
  const another = async (name: string) => {
    const made = await createNode({
      dataDir: join(folder, name),
      settings: {
        DATABASE_URL: databaseUrl(seen, proxied ? undefined : name),
        TOCSIN_MASTER_KEY: key.toString('base64'),
        ...settings,
      },
    })
    nodes.push(made)
    return made
  }
  const node = await another('A')
  await node.start()
  const rigs: FaultSetup[] = []
  const createDevices = (count: number, terms?: HeartbeatTerms) => {
    const access = openAccess(owner)
    return makeDevices(access, key, count, terms).finally(() => access.pool.end())
  }
  const equip = async ({ devices: count, terms, ...given }: FaultSetupOptions) => {
    const devices = await createDevices(count, terms)
    const beats = terms && { heartbeatSec: terms.heartbeatSec }
    const rig = await startFaultSetup({ node, devices, connection: () => owner, folder, ...beats, ...given })
    rigs.push(rig)
    return { devices, rig }
  }
  return {
    database,
    node,
    ...(await equip(options)),
    makeDevices: createDevices,
    more: async (further) => (await equip(further)).rig,
    proxy,
    another,
    end: async () => {
      for (const rig of rigs) await rig.end()
      for (const node of nodes) if (node.running()) await node.kill()
      await proxy?.close()
      await database.drop()
      drop()
      assertNoUncaughtErrors(nodes)
    },
  }
}
