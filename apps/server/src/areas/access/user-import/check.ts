import { userImports } from '@tocsin/contract/access/user-import'
import type { Db } from '#db/db'
import type { Actor } from '#http/route'
import type { CheckContext, LineCheck, SheetRow } from '#areas/files/import/importer'
import {
  isContactHidden,
  hasDisclosureQuota,
  auditDisclosure,
  consumeDisclosure,
} from '../people/contact-disclosure.ts'
import { createGrantCheck } from './grant-check.ts'
import { readLookups } from './lookups.ts'
import {
  type ExistingUser,
  createDuplicateCheck,
  readExistingUsers,
  type ResolvedLine,
  resolveLine,
} from './resolve-line.ts'
import { validateLine } from './validate-line.ts'

/**
 * Contacts whose owner may be disclosed to the importer: each hidden one counts. `takeDisclosed` returns those since
 * its last call.
 */
const createDisclosure = (db: Db, actor: Actor) => {
  let disclosed: number[] = []
  const tells = async (user: ExistingUser): Promise<boolean> => {
    if (!isContactHidden(actor, user)) return true
    if (!(await consumeDisclosure(db, actor))) return false
    disclosed.push(user.id)
    return true
  }
  const takeDisclosed = () => {
    const ids = disclosed
    disclosed = []
    return ids
  }
  return { tells, takeDisclosed }
}

/** The check of an import of users, with the lookups and rights of this moment. */
export const openUserCheck = async ({ db, job, data, who }: CheckContext): Promise<LineCheck> => {
  const { actor } = who
  const deptId = Number(data.options['deptId'])
  const [lookups, rights, twins] = [await readLookups(db, actor), createGrantCheck(db, actor), createDuplicateCheck()]
  const { tells, takeDisclosed } = createDisclosure(db, actor)
  let hasContacts = false
  let withoutDept = 0
  const resolve = async (lines: readonly SheetRow[]): Promise<ResolvedLine[]> => {
    const validated = lines.map((line) => validateLine(line, lookups))
    const known = await readExistingUsers(
      db,
      validated.map(({ draft }) => draft),
    )
    const given = { actor, rights, known, tells, updateSupport: data.updateSupport, deptId }
    const rows: ResolvedLine[] = []
    for (const item of validated)
      rows.push(await resolveLine({ ...item, reasons: [...item.reasons, ...twins(item)] }, given))
    for (const { cells, verdict, hasErrors } of rows)
      if (verdict === 'CREATE' && !hasErrors && !cells['deptId']) withoutDept += 1
    for (const row of rows) hasContacts ||= row.draft.mobile !== undefined || row.draft.email !== undefined
    return rows
  }
  const dept = await db.selectFrom('dept').select('name').where('id', '=', deptId).executeTakeFirst()
  return {
    resolve,
    record: (trx) =>
      auditDisclosure(trx, who, {
        call: userImports.import.path,
        filter: { importJobId: job.id },
        ids: takeDisclosed(),
      }),
    extraCounts: async () => (hasContacts && !(await hasDisclosureQuota(db, actor)) ? { untold: 1 } : {}),
    defaults: () =>
      withoutDept > 0 && !data.options['isDeptChosen']
        ? [{ title: '部门', titleEn: 'Department', value: dept?.name ?? String(deptId), rows: withoutDept }]
        : [],
  }
}
