import { useState } from 'react'
import { call } from '../call.ts'
import { CodeFields } from '../fields/CodeFields.tsx'
import { validateCode, validateContact, contactTypeOf, validateMail, validateMobile } from '../fields/code.ts'
import { type FieldErrors, useFormDraft } from '../fields/form-draft.ts'
import { TextField } from '../fields/TextField.tsx'
import { icons } from '../icons.tsx'
import type { Options } from '../options.ts'
import { useLanguage } from '../text/language.tsx'
import { InfoMessage } from './InfoMessages.tsx'
import { NewPassword, validateNewPassword, newPasswordErrors } from './NewPassword.tsx'
import { BackTo, SubmitForm, useSubmit } from './SubmitForm.tsx'

type Name = 'contact' | 'captchaCode' | 'code' | 'newPassword' | 'repeated'

const complaintsFor = ({ mobile, email }: Options): FieldErrors<Name> => ({
  contact: ({ contact }, t) => {
    if (mobile && email) return validateContact(contact, t)
    return mobile ? validateMobile(contact, t) : validateMail(contact, t)
  },
  captchaCode: ({ captchaCode }, t) => (captchaCode.trim() === '' ? t.captchaMissing : undefined),
  code: ({ code }, t) => validateCode(code, t),
  ...validateNewPassword,
})

const submitReset = ({ contact, code, newPassword }: Record<Name, string>) =>
  call({
    method: 'POST',
    path: 'system/auth/reset-password',
    body: { contact: contact.trim(), contactType: contactTypeOf(contact), code: code.trim(), password: newPassword },
    decode: () => true,
  })

/** A new password for the owner of the account's number or mailbox. */
export const ResetPassword = ({ options }: { options: Options }) => {
  const { t } = useLanguage()
  const [complaints] = useState(() => complaintsFor(options))
  const form = useFormDraft({ contact: '', captchaCode: '', code: '', newPassword: '', repeated: '' }, complaints)
  const sending = useSubmit()
  const [done, setDone] = useState(false)
  const label = options.mobile && options.email ? t.contactEither : options.mobile ? t.mobile : t.email

  const send = async () => {
    if (!form.complete(['contact', 'code', 'newPassword', 'repeated'])) return
    const answer = await sending.send(() => submitReset(form.draft))
    if (answer.ok) return setDone(true)
    sending.setFailure(form.blame(newPasswordErrors(answer.failure)) ? undefined : answer.failure)
  }

  if (done) return <InfoMessage text={t.resetDone} />
  return (
    <SubmitForm
      label={t.resetTitle}
      buttonLabels={[t.reset, t.resetting]}
      sending={sending}
      onSend={send}
      below={<BackTo />}
    >
      <p className="lead">{t.resetLead}</p>
      <TextField
        {...form.field('contact')}
        label={label}
        icon={options.email ? icons.mail : icons.phone}
        autoComplete={options.email ? 'email' : 'tel-national'}
        inputMode={options.email ? 'email' : 'tel'}
        maxLength={50}
        autoFocus
      />
      <CodeFields
        form={form}
        sending={sending}
        scene="RESET"
        contact={() => (form.complete(['contact']) ? form.draft.contact.trim() : undefined)}
        sent={t.codeSent}
      />
      <NewPassword field={form.field} username="" />
    </SubmitForm>
  )
}
