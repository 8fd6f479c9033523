import { type FormEvent, type ReactNode, useState } from 'react'
import { type FormPath, FormLink, paths } from '../address.tsx'
import { type CallResult, type Failure, showFailure } from '../call.ts'
import { icons } from '../icons.tsx'
import { useLanguage } from '../text/language.tsx'

type Tried = 'form' | 'code' | 'way' | 'policy'

/**
 * One request at a time, and the latest error of the form, of requesting a code, of another way to sign in, or of the
 * policy.
 */
export const useSubmit = () => {
  const [failed, setFailed] = useState<{ what: Tried; failure: Failure }>()
  const [busy, setBusy] = useState(false)
  const setFailure = (failure: Failure | undefined, item: Tried = 'form') =>
    setFailed(failure && { what: item, failure })
  const failureOf = (tried: Tried) => (failed?.what === tried ? failed.failure : undefined)
  const send = async <T,>(run: () => Promise<CallResult<T>>): Promise<CallResult<T>> => {
    setBusy(true)
    setFailure(undefined)
    const answer = await run()
    setBusy(false)
    return answer
  }
  return { busy, failure: failureOf('form'), failureOf, setFailure, send }
}

export const BackTo = ({ to = paths.signIn, children }: { to?: FormPath; children?: ReactNode }) => {
  const { t } = useLanguage()
  return (
    <FormLink to={to} className="back">
      {icons.back}
      {children ?? t.backToSignIn}
    </FormLink>
  )
}

type SubmitFormProps = {
  label: string
  /** On the button, and while waiting for the answer. */
  buttonLabels: readonly [still: string, busy: string]
  sending: { busy: boolean; failure: Failure | undefined }
  onSend: () => Promise<unknown>
  children: ReactNode
  /** Below the button. */
  below?: ReactNode
}

/** Fields, the server's errors, and the button. */
export const SubmitForm = ({ label, buttonLabels: words, sending, onSend, children, below }: SubmitFormProps) => {
  const { language } = useLanguage()
  const { busy, failure } = sending
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!busy) void onSend()
  }
  return (
    <form onSubmit={submit} noValidate aria-label={label}>
      {children}
      <div role="alert" className="alert">
        {failure && <p>{showFailure(failure, language)}</p>}
      </div>
      <button type="submit" className="primary" aria-busy={busy} aria-disabled={busy}>
        {words[busy ? 1 : 0]}
      </button>
      {below}
    </form>
  )
}
