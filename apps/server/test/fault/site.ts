import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { type ChaosProxy, startProxy } from '../../../../tools/fault/chaos-proxy.ts'
import { makeNode, type ServerNode } from '../../../../tools/fault/node.ts'
import { databaseUrl, newMasterKey, pressing, type Rig, scratch, startRig } from '../../../../tools/fault/rig.ts'
import { makeDevices, openAccess, type Terms } from '../../../../tools/fault/world.ts'
import type { Fleet, FleetOptions } from '../../../../tools/simulator/fleet.ts'
import type { Credential } from '../../../../tools/simulator/fleet-file.ts'
import { cloneDatabase, type TestDatabase } from '../database.ts'

type RigOptions = Pick<FleetOptions, 'faults' | 'heartbeatSec' | 'reconnect'> & { devices: number; terms?: Terms }
type SiteOptions = RigOptions & {
  /** Between the server and its database. */
  proxied?: boolean
}

/** A server of its own process on a database of its own, and devices. */
export type Site = {
  database: TestDatabase
  node: ServerNode
  devices: Credential[]
  rig: Rig
  /** Further devices, of a school of their own. */
  more: (options: RigOptions) => Promise<Rig>
  /** Undefined unless asked for. */
  proxy: ChaosProxy | undefined
  /** A further server on the same database. Its name shows there, unless proxied: then its pools have their own. */
  another: (name: string) => Promise<ServerNode>
  end: () => Promise<void>
}

/** Devices that press until the test is over, however it ends. */
export const underLoad = (fleet: Fleet, rate: number): { stop: () => void } => {
  const load = pressing(fleet, rate)
  onTestFinished(load.stop)
  return load
}

/** Z10: whatever was broken, the server's own errors were caught. */
export const demandCaught = (nodes: readonly ServerNode[]): void => {
  const uncaught = nodes.flatMap((node) => node.uncaught())
  if (uncaught.length > 0) throw new Error(`errors that nobody caught:\n${uncaught.join('\n')}`)
}

export const openSite = async ({ proxied = false, ...options }: SiteOptions): Promise<Site> => {
  const { folder, drop } = scratch()
  const database = await cloneDatabase()
  const { owner } = database
  const key = newMasterKey()
  const socket = join(owner.host, `.s.PGSQL.${owner.port}`)
  const proxy = proxied ? await startProxy({ path: socket }) : undefined
  const seen = proxy ? { ...owner, host: '127.0.0.1', port: proxy.port } : owner
  const nodes: ServerNode[] = []
  const another = async (name: string) => {
    const made = await makeNode({
      dataDir: join(folder, name),
      settings: {
        DATABASE_URL: databaseUrl(seen, proxied ? undefined : name),
        TOCSIN_MASTER_KEY: key.toString('base64'),
      },
    })
    nodes.push(made)
    return made
  }
  const node = await another('A')
  await node.start()
  const rigs: Rig[] = []
  const equip = async ({ devices: count, terms, ...given }: RigOptions) => {
    const access = openAccess(owner)
    const devices = await makeDevices(access, key, count, terms).finally(() => access.pool.end())
    const beats = terms && { heartbeatSec: terms.heartbeatSec }
    const rig = await startRig({ node, devices, connection: () => owner, folder, ...beats, ...given })
    rigs.push(rig)
    return { devices, rig }
  }
  return {
    database,
    node,
    ...(await equip(options)),
    more: async (further) => (await equip(further)).rig,
    proxy,
    another,
    end: async () => {
      for (const rig of rigs) await rig.end()
      for (const one of nodes) if (one.running()) await one.kill()
      await proxy?.close()
      await database.drop()
      drop()
      demandCaught(nodes)
    },
  }
}
