import { useEffect, useState, useSyncExternalStore } from 'react'
import { ChangePassword } from './ChangePassword.tsx'
import type { Failure } from './call.ts'
import { ForgottenPassword, NoAccount } from './Explanation.tsx'
import { Frame } from './Frame.tsx'
import { SignIn } from './SignIn.tsx'
import { keepSession, type Session, storedSession } from './session.ts'
import { useLanguage } from './text/language.tsx'

export type Visit = {
  /** Already made safe. */
  target: string
  reason: string | null
  path: string
}

type Change = { session: Session; username: string; oldPassword: string | undefined }

const watchHash = (changed: () => void) => {
  window.addEventListener('hashchange', changed)
  return () => window.removeEventListener('hashchange', changed)
}

/** The application sends `reason=change-password` when a call was refused because the password must change first. */
const unfinishedChange = ({ reason }: Visit): Change | undefined => {
  const session = reason === 'change-password' ? storedSession() : undefined
  return session && { session, username: '', oldPassword: undefined }
}

/** Somebody signed in in another tab: this one follows. */
const useFollowing = (target: string, active: boolean) =>
  useEffect(() => {
    const follow = (event: StorageEvent) => {
      if (active && event.key === 'ACCESS_TOKEN' && event.newValue) location.replace(target)
    }
    window.addEventListener('storage', follow)
    return () => window.removeEventListener('storage', follow)
  }, [target, active])

export const LoginPage = ({ visit }: { visit: Visit }) => {
  const { t } = useLanguage()
  const hash = useSyncExternalStore(watchHash, () => location.hash)
  const [change, setChange] = useState(() => unfinishedChange(visit))
  const [expired, setExpired] = useState(visit.reason === 'expired')
  useFollowing(visit.target, change === undefined)

  const enter = (session: Session): Failure | undefined => {
    if (!keepSession(session)) return { reason: 'storage' }
    location.replace(visit.target)
    return undefined
  }

  if (change) {
    return (
      <Frame title={t.changeTitle}>
        <ChangePassword
          token={change.session.accessToken}
          username={change.username}
          oldPassword={change.oldPassword}
          onChanged={() => enter(change.session)}
          onExpired={() => {
            setChange(undefined)
            setExpired(true)
          }}
        />
      </Frame>
    )
  }
  if (visit.path === '/register') {
    return (
      <Frame title={t.registerTitle}>
        <NoAccount />
      </Frame>
    )
  }
  if (visit.path === '/reset-password' || hash === '#forgot') {
    return (
      <Frame title={t.forgotTitle}>
        <ForgottenPassword />
      </Frame>
    )
  }
  return (
    <Frame title={t.signIn}>
      <div role="status" className="notice">
        {expired && <p>{t.expired}</p>}
      </div>
      <SignIn
        onSignedIn={(session, { username, password }) => {
          if (!session.mustChangePassword) return enter(session)
          // Kept in memory only: until the change is done, no other tab should take this session for a usable one.
          setChange({ session, username, oldPassword: password })
          return undefined
        }}
      />
    </Frame>
  )
}
