import { type HomeStart, MAX_START_COUNT, type StartStep, startSteps } from '@tocsin/contract/insight/home/start-steps'
import type { AllTablesDb, Db } from '#db/db'
import { scoped } from '#db/scope'
import type { Actor } from '#http/route'

type Found = { limit: (rows: number) => { execute: () => Promise<unknown[]> } }

/** What makes each step done. */
const rowsOf = (seen: AllTablesDb): Record<StartStep, Found> => ({
  // The seeded root counts only where schools belong to it directly, as in an installation of one district.
  DISTRICT: seen
    .selectFrom('dept')
    .select('id')
    .where('kind', '=', 'EDU_BUREAU')
    .where(({ eb, exists, or, selectFrom }) =>
      or([
        eb('parentId', 'is not', null),
        exists(
          selectFrom('dept as below')
            .select('below.id')
            .whereRef('below.parentId', '=', 'dept.id')
            .where('below.kind', '=', 'SCHOOL'),
        ),
      ]),
    ),
  STATION: seen.selectFrom('dept').select('id').where('kind', '=', 'POLICE_STATION'),
  SCHOOL: seen.selectFrom('school').select('id'),
  PLACES: seen.selectFrom('place').select('id'),
  MODEL: seen.selectFrom('deviceModel').select('id'),
  DEVICES: seen.selectFrom('device').select('id'),
  // Also one that was removed since: a step never becomes undone by daily work.
  INSTALLATION: seen.selectFrom('schoolDevice').select('id'),
  // A device that nobody can press is accepted without a press.
  TEST: seen
    .selectFrom('schoolDevice')
    .select('id')
    .where(({ eb, or }) => or([eb('lastTestAt', 'is not', null), eb('acceptedAt', 'is not', null)])),
})

/** Which steps of starting an installation are done, as far as the caller sees. */
export const getStart = async (db: Db, actor: Actor): Promise<HomeStart> => {
  const seen = scoped(db, actor)
  const rows = rowsOf(seen)
  const [steps, school] = await Promise.all([
    Promise.all(
      startSteps.map(async (step) => ({ step, count: (await rows[step].limit(MAX_START_COUNT).execute()).length })),
    ),
    seen.selectFrom('school').select('id').orderBy('id').limit(1).executeTakeFirst(),
  ])
  return { steps, schoolId: school?.id ?? null }
}
