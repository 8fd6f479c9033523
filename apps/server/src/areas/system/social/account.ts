import { codes } from '@tocsin/contract/codes'
import type { SocialAnswer, SocialRow } from '@tocsin/contract/system/sign-in/social'
import { conflicts } from '#db/conflict'
import type { Db } from '#db/db'
import { Refusal } from '#http/refusal'
import type { Origin } from '#http/route'
import { audit } from '../audit.ts'
import type { AuthDeps } from '../auth/deps.ts'
import { enter, type Entered, logSignIn, provable } from '../auth/enter.ts'
import { networkOf, withinRate } from '../auth/guard.ts'
import type { Who } from '../edit.ts'
import { finish, type Identity } from './flow.ts'
import { providersOf } from './providers.ts'

conflicts({
  social_account_subject_key: { code: codes.socialTaken },
  social_account_pkey: { code: codes.socialBound },
})

const RATE = { calls: 30, seconds: 60 }

/** Of strangers of one network: each step of theirs is a row here, or a call of the provider. */
export const checkPace = async ({ db }: AuthDeps, { ip }: Origin): Promise<void> => {
  if (!(await withinRate(db, `social:${networkOf(ip)}`, RATE))) throw new Refusal(codes.tooMany)
}

type From = { origin: Origin; cookie: string | undefined; browser: string | undefined }

const userOf = ({ db }: AuthDeps, { provider, subject }: Identity) =>
  provable(db)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('socialAccount')
          .select('socialAccount.userId')
          .whereRef('socialAccount.userId', '=', 'users.id')
          .where('provider', '=', provider)
          .where('subject', '=', subject),
      ),
    )
    .executeTakeFirst()

/** Signs in whoever bound this identity; one that nobody bound is told how. */
export const socialLogin = async (deps: AuthDeps, answer: SocialAnswer, from: From): Promise<Entered> => {
  const { origin, cookie, browser } = from
  await checkPace(deps, origin)
  const identity = await finish(deps, { answer, browser })
  const user = await userOf(deps, identity)
  if (user) return enter(deps, { user, method: 'SOCIAL', origin, cookie })
  const username = `${identity.provider} ${identity.account ?? ''}`.trim()
  await logSignIn(
    deps.db,
    { type: 'LOGIN', result: 'NOT_BOUND', person: undefined, username, method: 'SOCIAL' },
    origin,
  )
  throw new Refusal(codes.socialUnbound)
}

/** Every provider, and which of them the person is bound to. */
export const socialList = async (db: Db, userId: number): Promise<SocialRow[]> => {
  const bound = await db.selectFrom('socialAccount').selectAll().where('userId', '=', userId).execute()
  return (await providersOf(db)).map(({ key, name, nameEn, icon }) => {
    const mine = bound.find(({ provider }) => provider === key)
    return { provider: key, name, nameEn, icon, boundAt: mine?.boundAt ?? null, account: mine?.account ?? null }
  })
}

const audited = (trx: Db, who: Who, verb: string, account: Omit<Identity, 'subject'>) =>
  audit(trx, {
    ...who,
    action: `system:user:${verb}-social`,
    subject: 'users',
    subjectId: who.actor.userId,
    [verb === 'bind' ? 'after' : 'before']: account,
  })

export const bindSocial = async (
  deps: AuthDeps,
  answer: SocialAnswer,
  { who, browser }: { who: Who; browser: string | undefined },
): Promise<true> => {
  const { userId } = who.actor
  const { provider, subject, account } = await finish(deps, { answer, browser, userId })
  return deps.db.transaction().execute(async (trx) => {
    await trx.insertInto('socialAccount').values({ userId, provider, subject, account }).execute()
    await audited(trx, who, 'bind', { provider, account })
    return true as const
  })
}

export const unbindSocial = (db: Db, provider: string, who: Who): Promise<true> =>
  db.transaction().execute(async (trx) => {
    const gone = await trx
      .deleteFrom('socialAccount')
      .where('userId', '=', who.actor.userId)
      .where('provider', '=', provider)
      .returning('account')
      .executeTakeFirst()
    if (!gone) throw new Refusal(codes.socialMissing)
    await audited(trx, who, 'unbind', { provider, account: gone.account })
    return true as const
  })
