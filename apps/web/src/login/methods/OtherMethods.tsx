import { FormLink, paths } from '../address.tsx'
import { call, type Failure, isRecord, showFailure } from '../call.ts'
import { icons } from '../icons.tsx'
import type { Options, Provider } from '../options.ts'
import { useLanguage } from '../text/language.tsx'
import { ProviderIcon } from './ProviderIcon.tsx'
import { saveReturnTarget } from './SocialReturn.tsx'

/** Only an address that the browser opens, never a script. */
const decodeAddress = (data: unknown) =>
  isRecord(data) && typeof data.url === 'string' && /^https?:\/\//i.test(data.url) ? data.url : undefined

const ProviderButton = ({ provider, onFailed }: { provider: Provider; onFailed: (failure: Failure) => void }) => {
  const { t, language } = useLanguage()
  const name = language === 'en' ? provider.nameEn : provider.name
  const leave = async () => {
    const query = { provider: provider.key }
    const answer = await call({ path: 'system/auth/social-redirect', query, decode: decodeAddress })
    if (!answer.ok) return onFailed(answer.failure)
    saveReturnTarget()
    location.assign(answer.data)
  }
  return (
    <button
      type="button"
      className="way"
      aria-label={t.bySocial(name)}
      title={t.bySocial(name)}
      onClick={() => void leave()}
    >
      <ProviderIcon name={provider.icon} />
      <span>{name}</span>
    </button>
  )
}

type OtherWaysProps = {
  options: Options | undefined
  failure: Failure | undefined
  onFailed: (failure: Failure) => void
}

/** Every way to sign in of this installation, beside user name and password. */
export const OtherMethods = ({ options, failure, onFailed }: OtherWaysProps) => {
  const { t, language } = useLanguage()
  if (!options) return <div className="ways-space" />
  const { mobile, qr, social, register } = options
  return (
    <>
      {(mobile || qr || social.length > 0) && (
        <section aria-label={t.otherWays}>
          <p className="divider">{t.otherWays}</p>
          <div className="ways">
            {mobile && (
              <FormLink to={paths.code} className="way">
                {icons.phone}
                <span>{t.byCode}</span>
              </FormLink>
            )}
            {qr && (
              <FormLink to={paths.qr} className="way">
                {icons.qr}
                <span>{t.byQr}</span>
              </FormLink>
            )}
            {social.map((provider) => (
              <ProviderButton key={provider.key} provider={provider} onFailed={onFailed} />
            ))}
          </div>
          <div role="alert" className="alert">
            {failure && <p>{showFailure(failure, language)}</p>}
          </div>
        </section>
      )}
      <p className="doors">
        {register && (
          <span>
            {t.noAccount} <FormLink to={paths.register}>{t.toRegister}</FormLink>
          </span>
        )}
        <FormLink to={paths.activate}>{t.toActivate}</FormLink>
      </p>
    </>
  )
}
