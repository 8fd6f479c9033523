import { FormLink, paths } from '../address.tsx'
import { call, type Failure, isRecord, showFailure } from '../call.ts'
import { icons } from '../icons.tsx'
import type { Options, Provider } from '../options.ts'
import { useLanguage } from '../text/language.tsx'
import { saveReturnTarget } from './SocialReturn.tsx'

/** Our own icons in one color; a provider without one gets the general icon of a person. */
const drawings: Partial<Record<string, string>> = {
  wechat:
    'M15.4 9.1C14.9 6.2 12.3 4 9 4 5.4 4 2.5 6.6 2.5 9.7c0 1.9 1 3.5 2.6 4.6l-.6 2.1 2.6-1.3c.6.15 1.3.200 1.9.200M21.5 14.8c0-2.7-2.5-4.8-5.6-4.8s-5.6 2.1-5.6 4.8 2.5 4.8 5.6 4.8c.7 0 1.4-.1 2-.3l2.2 1.1-.5-1.9c1.2-.9 1.9-2.2 1.9-3.7zM6.8 8.5h.01M11 8.5h.01M14.2 13.8h.01M17.6 13.8h.01',
  wecom:
    'M11 4.5c-4.7 0-8.5 3-8.5 6.8 0 2.2 1.2 4.1 3.2 5.3l-.7 2.4 3-1.5c1 .3 2 .4 3 .4 4.7 0 8.5-3 8.5-6.8s-3.8-6.6-8.5-6.6zM18.5 16v5M16 18.5h5',
  dingtalk: 'M4.5 4c2 3.8 6 5.3 13.5 6.5l-2 4.5h3l-7.5 6 1.5-4.5h-2.5l1-2.5C8 13.5 5.5 9.8 4.5 4z',
  feishu:
    'M3.5 9.5v7.5c4.5 3 11 2.8 14-1.5 1.5-2.3 2-4 3-5.5-2.8-1.2-5.5-.5-8 2M3.5 9.5c3 3.5 6.5 5.5 10.5 6M7.5 5h7c1.3 1.5 2 3 2.4 4.6M12.5 12C11 9.3 9.5 7 7.5 5',
  oidc: 'M12 3.5 20 8v8l-8 4.5L4 16V8zM12 12v8.5M12 12 4 8M12 12l8-4',
}

const ProviderIcon = ({ name }: { name: string }) => {
  const drawing = drawings[name]
  if (!drawing) return icons.person
  return (
    <svg className="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={drawing} />
    </svg>
  )
}

/** Accepts http(s) addresses only, never scripts. */
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
