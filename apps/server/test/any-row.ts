import { randomBytes } from 'node:crypto'
import { makeRecord } from '../seed/record-fixtures.ts'
import { deptByCode, makeInstallation, makeDevice, makeModel, makePlace, makeSchool } from '../seed/fixtures.ts'
import type { Db } from '../src/db/db.ts'
import { unscoped } from '../src/db/scope.ts'
import { fillTable } from './spec/fill-tables.ts'

type Make = (db: Db) => Promise<{ id: number }>

const place = async (db: Db) => makePlace(db, { schoolId: (await makeSchool(db)).id })

const device = async (db: Db) => {
  const { id: modelId } = await makeModel(db)
  return (await makeDevice(db, { modelId, key: randomBytes(32) })).device
}

/** Values that the database requires for these tables, or their children, and that the columns do not show. */
const makes: Readonly<Record<string, Make>> = {
  school: makeSchool,
  place,
  device_model: makeModel,
  device,
  school_device: async (db) => makeInstallation(db, await device(db), await place(db)),
  notice: async (db) =>
    unscoped(db, 'a row for tests')
      .insertInto('notice')
      .values({ title: 'some', type: '5', target: 'ALL', content: '', deptId: await deptByCode(db, 'EDU') })
      .returning('id')
      .executeTakeFirstOrThrow(),
  warn_rule: (db) =>
    db
      .insertInto('warnRule')
      .values({ name: 'some', matchCodes: ['SOME'], class: 'FIRE', level: 3 })
      .returning('id')
      .executeTakeFirstOrThrow(),
  warn_record: async (db) => makeRecord(db, { deptId: await deptByCode(db, 'EDU') }),
}

/** Inserts a row of a table that no call of the test creates; @returns its id */
export const anyRow = async (db: Db, table: string): Promise<number> =>
  (await makes[table]?.(db))?.id ?? fillTable(unscoped(db, 'a row for tests'), table)
