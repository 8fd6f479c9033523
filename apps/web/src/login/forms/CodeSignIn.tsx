import { call } from '../call.ts'
import { CodeFields } from '../fields/CodeFields.tsx'
import { validateCode, validateMobile } from '../fields/code.ts'
import { type FieldErrors, useFormDraft } from '../fields/form-draft.ts'
import { TextField } from '../fields/TextField.tsx'
import { icons } from '../icons.tsx'
import { decodeSession } from '../session.ts'
import { useLanguage } from '../text/language.tsx'
import type { ContinueSignIn } from './continue-sign-in.ts'
import { BackTo, SubmitForm, useSubmit } from './SubmitForm.tsx'

const validators: FieldErrors<'mobile' | 'captchaCode' | 'code'> = {
  mobile: ({ mobile }, t) => validateMobile(mobile, t),
  captchaCode: ({ captchaCode }, t) => (captchaCode.trim() === '' ? t.captchaMissing : undefined),
  code: ({ code }, t) => validateCode(code, t),
}

const submitCode = (mobile: string, code: string) =>
  call({ method: 'POST', path: 'system/auth/sms-login', body: { mobile, code }, decode: decodeSession })

/** Mobile number and a code sent to it, without a password. */
export const CodeSignIn = ({ enter }: { enter: ContinueSignIn }) => {
  const { t } = useLanguage()
  const form = useFormDraft({ mobile: '', captchaCode: '', code: '' }, validators)
  const sending = useSubmit()
  const mobile = form.draft.mobile.trim()

  const send = async () => {
    if (!form.complete(['mobile', 'code'])) return
    const failed = enter(await sending.send(() => submitCode(mobile, form.draft.code.trim())))
    if (!failed) return
    sending.setFailure(form.blame(failed.errors) ? undefined : failed)
    form.focus('code')
  }

  return (
    <SubmitForm
      label={t.codeTitle}
      buttonLabels={[t.signIn, t.signingIn]}
      sending={sending}
      onSend={send}
      below={<BackTo />}
    >
      <TextField
        {...form.field('mobile')}
        label={t.mobile}
        icon={icons.phone}
        autoComplete="tel-national"
        inputMode="tel"
        maxLength={11}
        autoFocus
      />
      <CodeFields
        form={form}
        sending={sending}
        scene="LOGIN"
        contact={() => (form.complete(['mobile']) ? mobile : undefined)}
        sent={t.codeSent}
      />
    </SubmitForm>
  )
}
