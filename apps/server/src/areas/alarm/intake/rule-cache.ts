import type { WarnRule } from '@tocsin/contract/alarm/rule'
import type { Db } from '#db/db'

/** Rules that another node changed are seen after this at the latest. */
const FRESH_MS = 2000

type Page = { readAt: number; edition: number; rules: Promise<WarnRule[]> }

const pages = new WeakMap<Db, Page>()
let edition = 0

/** In the order in which they are tried: the smaller number first. Disabled ones too: what they raised may recover. */
const readRules = (db: Db): Promise<WarnRule[]> =>
  db.selectFrom('warnRule').selectAll().orderBy('priority').orderBy('id').execute()

/** All rules, at most 2 s old; a transaction reads them itself. */
export const loadRules = (db: Db): Promise<WarnRule[]> => {
  if (db.isTransaction) return readRules(db)
  const known = pages.get(db)
  if (known && known.edition === edition && performance.now() - known.readAt < FRESH_MS) return known.rules
  const rules = readRules(db)
  const page = { readAt: performance.now(), edition, rules }
  pages.set(db, page)
  // A failed reading is not kept: the next signal asks again.
  rules.catch(() => pages.get(db) === page && pages.delete(db))
  return rules
}

/** Rules changed: whoever asks next reads them again. */
export const invalidateRuleCache = (): void => {
  edition += 1
}
