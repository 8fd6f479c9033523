import { useEffect, useEffectEvent, useState } from 'react'
import { type CallResult, call, type Failure, showFailure } from '../call.ts'
import { icons } from '../icons.tsx'
import { decodeSession, type Session } from '../session.ts'
import { useLanguage } from '../text/language.tsx'
import type { ContinueSignIn } from '../forms/continue-sign-in.ts'

/** The answer of a provider in the address; `code` is null when it refused. */
export type SocialAnswer = { provider: string; code: string | null; state: string; iss: string | null }

/** Undefined unless the address is the redirect of a provider, whose `state` starts with its key and a dot. */
export const socialAnswer = (query: URLSearchParams): SocialAnswer | undefined => {
  const state = query.get('state')
  const [, provider] = /^([a-z][a-z0-9-]*)\../.exec(state ?? '') ?? []
  if (!state || !provider || !(query.has('code') || query.has('error'))) return undefined
  return { provider, code: query.get('code'), state, iss: query.get('iss') }
}

const TARGET = 'signInTarget'

/** A provider redirects to one fixed address: the target after the sign-in is stored in this tab. */
export const saveReturnTarget = () => {
  try {
    sessionStorage.setItem(TARGET, new URLSearchParams(location.search).get('redirect') ?? '')
  } catch {
    // Without it the user arrives at the first page.
  }
}

export const loadReturnTarget = (): string | null => {
  try {
    return sessionStorage.getItem(TARGET)
  } catch {
    return null
  }
}

const submitSocial = ({ provider, code, state, iss }: SocialAnswer) =>
  call({
    method: 'POST',
    path: 'system/auth/social-login',
    body: { provider, code, state, ...(iss !== null && { iss }) },
    decode: decodeSession,
  })

/** Back from a provider: signs in with its answer. */
export const SocialReturn = ({
  answer,
  enter,
  onBack,
}: {
  answer: SocialAnswer
  enter: ContinueSignIn
  onBack: () => void
}) => {
  const { t, language } = useLanguage()
  const [failure, setFailure] = useState<Failure | 'refused' | undefined>(answer.code === null ? 'refused' : undefined)
  const hear = useEffectEvent((answered: CallResult<Session>) => setFailure(enter(answered)))
  useEffect(() => {
    if (answer.code === null) return
    // The answer is valid once; neither reloading nor going back may send it again.
    history.replaceState(null, '', '/login')
    void submitSocial(answer).then((answered) => hear(answered))
  }, [answer])
  return (
    <>
      <div role="alert" className="notice">
        {failure && (
          <p className="refused">{failure === 'refused' ? t.socialFailed : showFailure(failure, language)}</p>
        )}
      </div>
      {!failure && <p className="lead">{t.checking}</p>}
      <button type="button" className="link back" onClick={onBack}>
        {icons.back}
        {t.backToSignIn}
      </button>
    </>
  )
}
