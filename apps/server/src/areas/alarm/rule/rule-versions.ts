import { WarnRuleDraft } from '@tocsin/contract/alarm/rule'
import type { RuleVersion } from '@tocsin/contract/alarm/rule-trial'
import { codes } from '@tocsin/contract/codes'
import { sql } from 'kysely'
import type { Db } from '#db/db'
import { unscoped } from '#db/scope'
import { BusinessError } from '#http/business-error'

type Content = Record<string, unknown>
type Stored = { version: number; at: Date; byName: string | null; content: Content }

const snake = (name: string) => name.replace(/[A-Z]/g, (c) => `_${c.toLowerCase()}`)
const fields = Object.keys(WarnRuleDraft.shape)
const valueOf = (content: Content | undefined, field: string): string => JSON.stringify(content?.[snake(field)] ?? null)

const compare = (before: Content | undefined, after: Content): RuleVersion['changes'] =>
  fields.flatMap((field) => {
    const [old, now] = [valueOf(before, field), valueOf(after, field)]
    const isSame = before ? old === now : now === 'null' || now === '[]'
    return isSame ? [] : [{ field, before: before ? old : null, after: now }]
  })

/** The versions of a rule, the latest first, each with what it changed. */
export const listRuleVersions = async (db: Db, ruleId: number): Promise<RuleVersion[]> => {
  const { rows } = await sql<Stored>`
    select v.edition as version, v.at, u.nickname as by_name, v.content from warn_rule_version v
    left join users u on u.id = v.by_id
    where v.rule_id = ${ruleId} order by v.edition`.execute(
    unscoped(db, 'who changed a rule is shown to everybody who reads rules'),
  )
  if (rows.length === 0) throw new BusinessError(codes.notFound, { what: '接警规则' })
  return rows
    .map(({ content, ...item }, n) => ({ ...item, changes: compare(rows[n - 1]?.content, content) }))
    .toReversed()
}
