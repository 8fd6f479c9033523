import { useState } from 'react'
import { call } from '../call.ts'
import { type FieldErrors, useFormDraft } from '../fields/form-draft.ts'
import { TextField } from '../fields/TextField.tsx'
import { icons } from '../icons.tsx'
import { decodeSession } from '../session.ts'
import { useLanguage } from '../text/language.tsx'
import type { ContinueSignIn, EnteredCredentials } from './continue-sign-in.ts'
import { SubmitForm, useSubmit } from './SubmitForm.tsx'

const byApp: FieldErrors<'code'> = {
  code: ({ code }, t) => (/^\d{6}$/.test(code.trim()) ? undefined : t.factorMissing),
}
const byRecovery: FieldErrors<'code'> = {
  code: ({ code }, t) => (code.trim().length < 8 ? t.recoveryMissing : undefined),
}

const submitFactor = (ticket: string, code: string) =>
  call({ method: 'POST', path: 'system/auth/second-factor', body: { ticket, code }, decode: decodeSession })

type SecondFactorProps = {
  ticket: string
  typed: EnteredCredentials | undefined
  enter: ContinueSignIn
  onBack: () => void
}

type CodeFormProps = Omit<SecondFactorProps, 'onBack'> & { recovery: boolean }

const CodeForm = ({ ticket, typed, enter, recovery }: CodeFormProps) => {
  const { t } = useLanguage()
  const form = useFormDraft({ code: '' }, recovery ? byRecovery : byApp)
  const sending = useSubmit()
  const send = async () => {
    if (!form.complete()) return
    const failed = enter(await sending.send(() => submitFactor(ticket, form.draft.code.trim())), typed)
    if (!failed) return
    sending.setFailure(form.blame(failed.errors) ? undefined : failed)
    form.change('code', '')
    form.focus('code')
  }
  return (
    <SubmitForm label={t.factorTitle} buttonLabels={[t.factor, t.checking]} sending={sending} onSend={send}>
      <p className="lead">{recovery ? t.recoveryLead : t.factorLead}</p>
      <TextField
        {...form.field('code')}
        label={recovery ? t.recoveryCode : t.factorCode}
        icon={recovery ? icons.key : icons.check}
        autoComplete={recovery ? 'off' : 'one-time-code'}
        inputMode={recovery ? 'text' : 'numeric'}
        maxLength={recovery ? 20 : 6}
        autoFocus
      />
    </SubmitForm>
  )
}

/** The step after the password: a code of the authenticator app, or a recovery code. */
export const SecondFactor = ({ onBack, ...rest }: SecondFactorProps) => {
  const { t } = useLanguage()
  const [recovery, setRecovery] = useState(false)
  return (
    <>
      <CodeForm key={String(recovery)} {...rest} recovery={recovery} />
      <div className="after">
        <button type="button" className="link" onClick={() => setRecovery(!recovery)}>
          {recovery ? t.toFactor : t.toRecovery}
        </button>
        <button type="button" className="link back" onClick={onBack}>
          {icons.back}
          {t.backToSignIn}
        </button>
      </div>
    </>
  )
}
