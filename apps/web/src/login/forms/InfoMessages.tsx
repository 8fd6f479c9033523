import { useLanguage } from '../text/language.tsx'
import { BackTo } from './SubmitForm.tsx'

/** Where no code can be sent: a user who forgot the password learns whom to ask, and what not to do. */
export const ForgottenPassword = () => {
  const { t } = useLanguage()
  return (
    <>
      <p className="lead">{t.forgotText}</p>
      <ol className="steps">
        {t.forgotSteps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
      <p className="note">{t.forgotWarning}</p>
      <BackTo />
    </>
  )
}

/** A form that this installation does not offer, or that is done: a message and the way back. */
export const InfoMessage = ({ text }: { text: string }) => (
  <>
    <p className="lead" role="status">
      {text}
    </p>
    <BackTo />
  </>
)
