import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createNode, type ServerNode } from '../../../tools/fault/node.ts'
import { databaseUrl, newMasterKey, createTempDir } from '../../../tools/fault/fault-setup.ts'
import { cloneDatabase, type TestDatabase } from '../test/database.ts'

const { folder: dataDir, drop } = createTempDir()
let database: TestDatabase
let node: ServerNode
beforeAll(async () => {
  database = await cloneDatabase()
  node = await createNode({
    dataDir,
    settings: {
      DATABASE_URL: databaseUrl(database.owner),
      TOCSIN_MASTER_KEY: newMasterKey().toString('base64'),
      TOCSIN_ADMIN_PASSWORD: '',
    },
  })
})
afterAll(async () => {
  await node?.stop()
  await database?.drop()
  drop()
})

const listCredentials = () => node.output().match(/First sign-in: admin \/ \S+/g) ?? []

it("prints the first administrator's password once, even if the start fails afterwards", async () => {
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  // A TCP server's address is never a path.
  const taken = `127.0.0.1:${(other.address() as AddressInfo).port}`
  await expect(node.start({ TOCSIN_HTTP: taken })).rejects.toThrow(`${taken} is taken by another process`)
  other.close()
  expect(listCredentials()).toHaveLength(1)
  await node.start()
  expect(listCredentials()).toHaveLength(1)
})
