import { type ReactNode, useEffect, useState } from 'react'
import { paths, usePath } from './address.tsx'
import type { Failure } from './call.ts'
import { Frame } from './Frame.tsx'
import { Activate } from './forms/Activate.tsx'
import { ChangePassword } from './forms/ChangePassword.tsx'
import { CodeSignIn } from './forms/CodeSignIn.tsx'
import { ForgottenPassword, InfoMessage } from './forms/InfoMessages.tsx'
import { type ContinueSignIn, factorTicket, type EnteredCredentials } from './forms/continue-sign-in.ts'
import { QrSignIn } from './methods/QrSignIn.tsx'
import { Register } from './forms/Register.tsx'
import { ResetPassword } from './forms/ResetPassword.tsx'
import { SecondFactor } from './forms/SecondFactor.tsx'
import { SignIn } from './forms/SignIn.tsx'
import { type SocialAnswer, SocialReturn } from './methods/SocialReturn.tsx'
import { type Options, useOptions } from './options.ts'
import { saveSession, type Session, storedSession } from './session.ts'
import { useLanguage } from './text/language.tsx'
import { showStatus } from './text/server-messages.ts'
import type { Texts } from './text/texts.ts'

export type LoginParams = {
  /** Already sanitized. */
  target: string
  reason: string | null
  /** For a session that somebody ended, in the server's word (`KillReason`). */
  why: string | null
  /** The answer of a provider, when the page was opened by one. */
  social: SocialAnswer | undefined
}

/** The steps between an accepted sign-in and the console. */
type Step =
  | { kind: 'change'; session: Session; typed: EnteredCredentials }
  | { kind: 'factor'; ticket: string; typed: EnteredCredentials | undefined }

/** The application sends `reason=change-password` when a call was rejected because the password must change first. */
const unfinishedChange = ({ reason }: LoginParams): Step | undefined => {
  const session = reason === 'change-password' ? storedSession() : undefined
  return session && { kind: 'change', session, typed: { username: '', password: undefined } }
}

/** The user signed in in another tab: this one follows. */
const useFollowing = (target: string, active: boolean) =>
  useEffect(() => {
    const follow = (event: StorageEvent) => {
      if (active && event.key === 'ACCESS_TOKEN' && event.newValue) location.replace(target)
    }
    window.addEventListener('storage', follow)
    return () => window.removeEventListener('storage', follow)
  }, [target, active])

const titleOf = (path: string, options: Options | undefined, t: Texts): string => {
  if (path === paths.code) return t.codeTitle
  if (path === paths.qr) return t.qrTitle
  if (path === paths.activate) return t.activateTitle
  if (path === paths.register) return options?.register === false ? t.registerOffTitle : t.registerTitle
  if (path !== paths.reset) return t.signIn
  return options && !options.mobile && !options.email ? t.forgotTitle : t.resetTitle
}

/** The session that led here is over; and why, where that is known. */
type Over = { why: string | null; broken?: boolean } | undefined

const overBy = ({ reason, why }: LoginParams): Over => {
  if (reason === 'server-error') return { why: null, broken: true }
  return reason === 'expired' ? { why } : undefined
}

const Expired = ({ why, broken }: NonNullable<Over>) => {
  const { t, language } = useLanguage()
  if (broken) return <p>{showStatus(500, language)}</p>
  const reasons: Record<string, string> = t.expiredWhy
  const reason = why !== null && Object.hasOwn(reasons, why) ? reasons[why] : undefined
  return (
    <p>
      {t.expired}
      {reason && <br />}
      {reason}
    </p>
  )
}

type FormProps = {
  path: string
  options: Options | undefined
  enter: ContinueSignIn
  over: Over
  /** The reason is shown until the first attempt: then only the latest result. */
  onTried: () => void
  onRegistered: (username: string) => void
}

/** The form of an address; a form that this installation does not offer is explained in its place. */
const FormOf = ({ path, options, enter, over, onTried, onRegistered }: FormProps) => {
  const { t } = useLanguage()
  if (path === paths.activate) return <Activate enter={enter} />
  if (path !== paths.code && path !== paths.qr && path !== paths.register && path !== paths.reset)
    return (
      <>
        <div role="status" className="notice">
          {over && <Expired {...over} />}
        </div>
        <SignIn enter={enter} options={options} onTried={onTried} />
      </>
    )
  if (!options) return <p className="lead">{t.captchaLoading}</p>
  const contact = options.mobile || options.email
  if (path === paths.code) return options.mobile ? <CodeSignIn enter={enter} /> : <InfoMessage text={t.codeOff} />
  if (path === paths.qr) return options.qr ? <QrSignIn enter={enter} /> : <InfoMessage text={t.qrOff} />
  if (path === paths.reset) return contact ? <ResetPassword options={options} /> : <ForgottenPassword />
  return options.register ? <Register options={options} onDone={onRegistered} /> : <InfoMessage text={t.registerText} />
}

const useStep = (visit: LoginParams) => {
  const [step, setStep] = useState(() => unfinishedChange(visit))
  useFollowing(visit.target, step === undefined)
  const keep = (session: Session): Failure | undefined => {
    if (!saveSession(session)) return { reason: 'storage' }
    location.replace(visit.target)
    return undefined
  }
  const enter: ContinueSignIn = (answer, typed) => {
    if (!answer.ok) {
      const ticket = factorTicket(answer.failure)
      if (ticket === undefined) return answer.failure
      setStep({ kind: 'factor', ticket, typed })
      return undefined
    }
    if (!answer.data.mustChangePassword) return keep(answer.data)
    // In memory only: until the change is done, no other tab should use this session.
    setStep({ kind: 'change', session: answer.data, typed: typed ?? { username: '', password: undefined } })
    return undefined
  }
  return { step, setStep, keep, enter }
}

type ChangeOfProps = {
  step: Extract<Step, { kind: 'change' }>
  keep: (session: Session) => Failure | undefined
  onExpired: () => void
}

const ChangeOf = ({ step: { session, typed }, keep, onExpired }: ChangeOfProps) => (
  <ChangePassword
    token={session.accessToken}
    username={typed.username}
    oldPassword={typed.password}
    onChanged={() => keep(session)}
    onExpired={onExpired}
  />
)

export const LoginPage = ({ visit }: { visit: LoginParams }) => {
  const { t } = useLanguage()
  const path = usePath()
  const options = useOptions()
  const { step, setStep, keep, enter } = useStep(visit)
  const [over, setOver] = useState(() => overBy(visit))
  const [social, setSocial] = useState(visit.social)
  const [registered, setRegistered] = useState<string>()

  const expire = () => {
    setStep(undefined)
    setOver({ why: null })
  }

  // Leaving for another form, also by the browser's own buttons, discards what was begun.
  const [shownAt, setShownAt] = useState(path)
  if (shownAt !== path) {
    setShownAt(path)
    setStep(undefined)
    setSocial(undefined)
    setRegistered(undefined)
    setOver(undefined)
  }

  const shown = (): [title: string, form: ReactNode] => {
    if (step?.kind === 'factor') {
      const { ticket, typed } = step
      const back = () => setStep(undefined)
      return [t.factorTitle, <SecondFactor key={ticket} ticket={ticket} typed={typed} enter={enter} onBack={back} />]
    }
    if (step) return [t.changeTitle, <ChangeOf key="change" step={step} keep={keep} onExpired={expire} />]
    if (social) {
      const back = () => setSocial(undefined)
      return [t.socialTitle, <SocialReturn key="social" answer={social} enter={enter} onBack={back} />]
    }
    if (registered !== undefined)
      return [t.registeredTitle, <InfoMessage key="told" text={t.registeredText(registered)} />]
    const form = { path, options, enter, onTried: () => setOver(undefined), onRegistered: setRegistered }
    return [titleOf(path, options, t), <FormOf key={path} {...form} over={over} />]
  }
  const [title, form] = shown()
  return (
    <Frame title={title} site={options?.site}>
      {form}
    </Frame>
  )
}
