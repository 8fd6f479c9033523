import { codes } from '@tocsin/contract/codes'
import type { SocialAnswer, SocialRow } from '@tocsin/contract/access/sign-in/social'
import { registerConstraintErrors } from '#db/constraint-error'
import type { Db } from '#db/db'
import { BusinessError } from '#http/business-error'
import type { RequestInfo, Caller } from '#http/route'
import { writeAudit } from '#areas/audit/audit'
import type { AuthDeps } from '../deps.ts'
import { completeSignIn, type SignInResult, logSignIn, signInColumns } from '../complete-sign-in.ts'
import { networkPrefix, consumeRate } from '../login-throttle.ts'
import { finishOAuth, type Identity } from './oauth-flow.ts'
import { listProviders } from './providers.ts'

registerConstraintErrors({
  social_account_subject_key: { code: codes.socialTaken },
  social_account_pkey: { code: codes.socialBound },
})

const RATE = { calls: 30, seconds: 60 }

/** Per network without a session: each step writes a row, or calls the provider. */
export const checkSocialRate = async ({ db }: AuthDeps, { ip }: RequestInfo): Promise<void> => {
  if (!(await consumeRate(db, `social:${networkPrefix(ip)}`, RATE))) throw new BusinessError(codes.tooMany)
}

type From = { origin: RequestInfo; cookie: string | undefined; browser: string | undefined }

const userOf = ({ db }: AuthDeps, { provider, subject }: Identity) =>
  signInColumns(db)
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

/** Signs in the user bound to this identity; an unbound one learns how to bind it. */
export const socialLogin = async (deps: AuthDeps, answer: SocialAnswer, from: From): Promise<SignInResult> => {
  const { origin, cookie, browser } = from
  await checkSocialRate(deps, origin)
  const identity = await finishOAuth(deps, { answer, browser })
  const user = await userOf(deps, identity)
  if (user) return completeSignIn(deps, { user, method: 'SOCIAL', origin, cookie })
  const username = `${identity.provider} ${identity.account ?? ''}`.trim()
  await logSignIn(
    deps.db,
    { type: 'LOGIN', result: 'NOT_BOUND', person: undefined, username, method: 'SOCIAL' },
    origin,
  )
  throw new BusinessError(codes.socialUnbound)
}

/** Every provider, and which of them the user is bound to. */
export const socialList = async (db: Db, userId: number): Promise<SocialRow[]> => {
  const bound = await db.selectFrom('socialAccount').selectAll().where('userId', '=', userId).execute()
  return (await listProviders(db)).map(({ key, name, nameEn, icon }) => {
    const mine = bound.find(({ provider }) => provider === key)
    return { provider: key, name, nameEn, icon, boundAt: mine?.boundAt ?? null, account: mine?.account ?? null }
  })
}

const audited = (trx: Db, caller: Caller, verb: string, account: Omit<Identity, 'subject'>) =>
  writeAudit(trx, {
    ...caller,
    action: `system:user:${verb}-social`,
    subject: 'users',
    subjectId: caller.actor.userId,
    [verb === 'bind' ? 'after' : 'before']: account,
  })

export const bindSocial = async (
  deps: AuthDeps,
  answer: SocialAnswer,
  { who, browser }: { who: Caller; browser: string | undefined },
): Promise<true> => {
  const { userId } = who.actor
  const { provider, subject, account } = await finishOAuth(deps, { answer, browser, userId })
  return deps.db.transaction().execute(async (trx) => {
    await trx.insertInto('socialAccount').values({ userId, provider, subject, account }).execute()
    await audited(trx, who, 'bind', { provider, account })
    return true as const
  })
}

export const unbindSocial = (db: Db, provider: string, caller: Caller): Promise<true> =>
  db.transaction().execute(async (trx) => {
    const gone = await trx
      .deleteFrom('socialAccount')
      .where('userId', '=', caller.actor.userId)
      .where('provider', '=', provider)
      .returning('account')
      .executeTakeFirst()
    if (!gone) throw new BusinessError(codes.socialMissing)
    await audited(trx, caller, 'unbind', { provider, account: gone.account })
    return true as const
  })
