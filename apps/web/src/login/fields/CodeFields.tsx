import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { failedAnswer, showFailure } from '../call.ts'
import type { useSubmit } from '../forms/SubmitForm.tsx'
import { icons } from '../icons.tsx'
import { useLanguage } from '../text/language.tsx'
import { CaptchaField } from './CaptchaField.tsx'
import { useCaptcha } from './captcha.ts'
import { requestCode, type CodeScene, useCountdown } from './code.ts'
import type { useFormDraft } from './form-draft.ts'
import { TextField } from './TextField.tsx'

export type CodeNames = 'captchaCode' | 'code'

/** What this part needs of its form. */
type Form = Pick<
  ReturnType<typeof useFormDraft<CodeNames>>,
  'draft' | 'change' | 'field' | 'focus' | 'complete' | 'blame'
>

type CodeFieldsProps = {
  form: Form
  /** An error is shown in one place only: here, or at the form. */
  sending: Pick<ReturnType<typeof useSubmit>, 'failureOf' | 'setFailure'>
  scene: CodeScene
  /** The recipient of the code; undefined while it is not valid, which the form then reports. */
  contact: () => string | undefined
  /** Called when it was sent. */
  sent: (contact: string) => string
}

/** Requesting a code: the button's action and label, and the captcha in front of it. */
const useCode = ({ form, sending, scene, contact }: CodeFieldsProps) => {
  const { captcha, refresh, settled } = useCaptcha()
  const countdown = useCountdown()
  const [sentTo, setSentTo] = useState<string>()
  const [busy, setBusy] = useState(false)
  // The field that was just shown takes the focus.
  const next = useRef<CodeNames>(undefined)
  useEffect(() => {
    if (next.current) form.focus(next.current)
    next.current = undefined
  })

  const again = () => {
    setSentTo(undefined)
    form.change('captchaCode', '')
    refresh()
    next.current = 'captchaCode'
  }

  const ask = async () => {
    const to = contact()
    if (busy || to === undefined || !form.complete(['captchaCode'])) return
    sending.setFailure(undefined)
    setBusy(true)
    const picture = await settled()
    const captchaCode = form.draft.captchaCode.trim()
    const answer =
      picture.state === 'ready'
        ? await requestCode({ contact: to, scene, captchaKey: picture.key, captchaCode })
        : failedAnswer(picture.failure)
    setBusy(false)
    if (!answer.ok) {
      again()
      return sending.setFailure(form.blame(answer.failure.errors) ? undefined : answer.failure, 'code')
    }
    countdown.start()
    setSentTo(to)
    next.current = 'code'
  }

  const left = sentTo === undefined ? 0 : countdown.left
  return { captcha, refresh, sentTo, busy, left, press: sentTo === undefined ? ask : again }
}

/** The captcha in front of sending a code, and the code: the captcha disappears once the code is sent. */
export const CodeFields = (props: CodeFieldsProps) => {
  const { form, sending, sent } = props
  const { t, language } = useLanguage()
  const { captcha, refresh, sentTo, busy, left, press } = useCode(props)
  const failure = sending.failureOf('code')
  const waits = left > 0
  const pressed = () => {
    if (!waits) void press()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return
    event.preventDefault()
    pressed()
  }
  return (
    <>
      {sentTo === undefined && (
        <CaptchaField {...form.field('captchaCode')} captcha={captcha} refresh={refresh} onKeyDown={onKeyDown} />
      )}
      <TextField
        {...form.field('code')}
        label={t.code}
        icon={icons.message}
        autoComplete="one-time-code"
        inputMode="numeric"
        maxLength={6}
        hint={sentTo !== undefined && <p>{sent(sentTo)}</p>}
        beside={
          <button type="button" className="get-code" aria-busy={busy} aria-disabled={busy || waits} onClick={pressed}>
            {waits ? t.codeWait(left) : sentTo === undefined ? t.codeGet : t.codeAgain}
          </button>
        }
      />
      <div role="alert" className="alert">
        {failure && <p>{showFailure(failure, language)}</p>}
      </div>
    </>
  )
}
