import { icons } from './icons.tsx'
import { useLanguage } from './text/language.tsx'

const BackToSignIn = () => {
  const { t } = useLanguage()
  return (
    <a className="back" href={location.pathname === '/login' ? '#sign-in' : '/login'}>
      {icons.back}
      {t.backToSignIn}
    </a>
  )
}

/** Who has forgotten the password is told whom to ask, and what not to do. */
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
      <BackToSignIn />
    </>
  )
}

export const NoAccount = () => {
  const { t } = useLanguage()
  return (
    <>
      <p className="lead">{t.registerText}</p>
      <BackToSignIn />
    </>
  )
}
