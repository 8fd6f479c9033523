import { useLanguage } from '../text/language.tsx'
import { passwordStrength } from '@tocsin/contract/password-strength'

export const StrengthMeter = ({ password, username }: { password: string; username: string }) => {
  const { t } = useLanguage()
  const level = passwordStrength(password, username)
  return (
    <div className={`strength strength-${level}`}>
      <meter className="unseen" aria-label={t.strength} min={0} max={4} value={level}>
        {t.strengthLevels[level]}
      </meter>
      <div className="bars" aria-hidden="true">
        {[1, 2, 3, 4].map((bar) => (
          <i key={bar} className={bar <= level ? 'on' : ''} />
        ))}
      </div>
      {password !== '' && (
        <span>
          {t.strength}: {t.strengthLevels[level]}
        </span>
      )}
    </div>
  )
}
