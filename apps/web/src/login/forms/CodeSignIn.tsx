import { call } from '../call.ts'
import { CodeFields } from '../fields/CodeFields.tsx'
import { codeComplaint, mobileComplaint } from '../fields/code.ts'
import { type Complaints, useDraft } from '../fields/draft.ts'
import { TextField } from '../fields/TextField.tsx'
import { icons } from '../icons.tsx'
import { decodeSession } from '../session.ts'
import { useLanguage } from '../text/language.tsx'
import type { Enter } from './enter.ts'
import { BackTo, SendForm, useSending } from './SendForm.tsx'

const complaints: Complaints<'mobile' | 'captchaCode' | 'code'> = {
  mobile: ({ mobile }, t) => mobileComplaint(mobile, t),
  captchaCode: ({ captchaCode }, t) => (captchaCode.trim() === '' ? t.captchaMissing : undefined),
  code: ({ code }, t) => codeComplaint(code, t),
}

const submitCode = (mobile: string, code: string) =>
  call({ method: 'POST', path: 'system/auth/sms-login', body: { mobile, code }, decode: decodeSession })

/** Mobile number and a code sent there, without a password. */
export const CodeSignIn = ({ enter }: { enter: Enter }) => {
  const { t } = useLanguage()
  const form = useDraft({ mobile: '', captchaCode: '', code: '' }, complaints)
  const sending = useSending()
  const mobile = form.draft.mobile.trim()

  const send = async () => {
    if (!form.complete(['mobile', 'code'])) return
    const failed = enter(await sending.send(() => submitCode(mobile, form.draft.code.trim())))
    if (!failed) return
    sending.setFailure(form.blame(failed.errors) ? undefined : failed)
    form.focus('code')
  }

  return (
    <SendForm label={t.codeTitle} words={[t.signIn, t.signingIn]} sending={sending} onSend={send} below={<BackTo />}>
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
    </SendForm>
  )
}
