import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { openAccess } from '../../tools/fault/fault-devices.ts'
import { embedded } from '../../tools/fault/fault-setup.ts'
import { fillCity, fillTimed } from './fill-city.ts'

const usage = `Usage: npm run seed -- --city

Fills the database of a server that runs with npm start with 3,000 schools, 60,000 people and 99,000 devices, to see and
measure it at the size of a city. TOCSIN_DATA names the data directory of that server. The database must have no school.`

const fill = async (dataDir: string): Promise<void> => {
  const access = openAccess({ ...embedded(dataDir).owner, user: 'postgres' })
  try {
    const { rows } = await access.pool.query('select from school limit 1')
    if (rows.length > 0) throw new Error(`the database in ${dataDir} has schools already`)
    await fillTimed('city', () => fillCity(access, false))
  } finally {
    await access.pool.end()
  }
}

try {
  const { values } = parseArgs({ options: { city: { type: 'boolean' }, help: { type: 'boolean' } } })
  if (values.city) await fill(resolve(process.env['TOCSIN_DATA'] ?? 'data'))
  else console.log(usage)
  process.exitCode = values.city || values.help ? 0 : 2
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
