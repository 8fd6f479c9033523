import type { BuiltInProcedure, ProcedureStep } from '@tocsin/contract/device/procedure/procedure'
import { sql } from 'kysely'
import { builtInProcedures } from '#areas/device/procedure/procedure-reads'
import type { Db } from '#db/db'
import { unscoped } from '#db/scope'

// Procedures in the demo: the built-in ones in force, one with a draft that waits, and runs at devices.

const DRAFTED_DAYS_AGO = 40
const daysAgo = (days: number) => sql<Date>`now() - make_interval(secs => ${days * 86_400})`
const toJsonb = (steps: readonly ProcedureStep[]) => sql<ProcedureStep[]>`${JSON.stringify(steps)}::jsonb`

type People = ReadonlyMap<string, number>
/** What is published, by the key of the built-in procedure. */
type InForce = { procedureId: number; versionId: number; steps: readonly ProcedureStep[] }

/** The plan of this class has a change that waits for a second person. */
const CHANGED_KEY = 'response-voice'

const buildProcedure = async (trx: Db, people: People, { key, steps, ...seed }: BuiltInProcedure): Promise<InForce> => {
  const [draftedBy, publishedBy] = seed.kind === 'WORK' ? ['maintainer', 'lead'] : ['edu', 'lead']
  const by = (name: string | undefined) => people.get(name ?? '') ?? null
  const isChanged = key === CHANGED_KEY
  const row = await trx
    .insertInto('procedure')
    .values({
      ...seed,
      steps: toJsonb(isChanged ? steps.map((step, at) => (at === 0 ? { ...step, targetSec: 20 } : step)) : steps),
      status: 'PUBLISHED',
      versionNo: 1,
      changed: isChanged,
      editedBy: by(draftedBy),
      publishedAt: daysAgo(DRAFTED_DAYS_AGO - 1),
      creator: by(draftedBy),
      createTime: daysAgo(DRAFTED_DAYS_AGO),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const version = await trx
    .insertInto('procedureVersion')
    .values({
      ...seed,
      procedureId: row.id,
      no: 1,
      steps: toJsonb(steps),
      draftedBy: by(draftedBy),
      publishedBy: by(publishedBy),
      publishedAt: daysAgo(DRAFTED_DAYS_AGO - 1),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { procedureId: row.id, versionId: version.id, steps }
}

type RunSeed = { sn: string; key: string; days: number; done: number; state: 'RUNNING' | 'DONE' | 'ABORTED' }

const runs: readonly RunSeed[] = [
  { sn: 'DEMO-S1-02', key: 'work-inspect', days: 12, done: 5, state: 'DONE' },
  { sn: 'DEMO-S1-03', key: 'work-battery', days: 9, done: 6, state: 'DONE' },
  { sn: 'DEMO-S2-02', key: 'work-inspect', days: 6, done: 2, state: 'ABORTED' },
  { sn: 'DEMO-S1-06', key: 'work-repair', days: 0.1, done: 2, state: 'RUNNING' },
]

const middle = (step: ProcedureStep): number | null =>
  step.evidence === 'READING' ? Math.round((((step.min ?? 0) + (step.max ?? 0)) / 2) * 100) / 100 : null

const buildRun = async (trx: Db, people: People, inForce: ReadonlyMap<string, InForce>, seed: RunSeed) => {
  const { sn, key, days, done, state } = seed
  const found = inForce.get(key)
  if (!found) throw new Error(`no built-in procedure ${key}`)
  const all = unscoped(trx, 'the demo data belongs to every department')
  const device = await all
    .selectFrom('device')
    .select(['id', 'schoolId', 'deptId'])
    .where('sn', '=', sn)
    .executeTakeFirstOrThrow()
  const startedBy = people.get('maintainer') ?? null
  const run = await all
    .insertInto('procedureRun')
    .values({
      kind: 'WORK',
      procedureId: found.procedureId,
      versionId: found.versionId,
      deviceId: device.id,
      schoolId: device.schoolId,
      deptId: device.deptId,
      state,
      reason: state === 'ABORTED' ? '学校临时封楼，改日再来' : null,
      startedBy,
      startedAt: daysAgo(days),
      endedAt: state === 'RUNNING' ? null : daysAgo(days - 0.01),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  for (const [at, step] of found.steps.slice(0, done).entries())
    await trx
      .insertInto('procedureRunStep')
      .values({
        runId: run.id,
        no: at + 1,
        state: 'DONE',
        userId: startedBy,
        userName: '维护 唐',
        at: daysAgo(days - 0.001 * (at + 1)),
        reading: middle(step),
        scan: step.evidence === 'SCAN' ? sn : null,
      })
      .execute()
}

/** Runs after the accounts exist. */
export const buildProcedures = async (trx: Db): Promise<void> => {
  const rows = await unscoped(trx, 'the demo data belongs to every department')
    .selectFrom('users')
    .select(['id', 'username'])
    .execute()
  const people = new Map(rows.map(({ id, username }) => [username, id]))
  const inForce = new Map<string, InForce>()
  for (const seed of builtInProcedures) inForce.set(seed.key, await buildProcedure(trx, people, seed))
  for (const seed of runs) await buildRun(trx, people, inForce, seed)
}
