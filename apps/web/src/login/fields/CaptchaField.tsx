import { icons } from '../icons.tsx'
import { useLanguage } from '../text/language.tsx'
import { type Captcha, isStale } from './captcha.ts'
import { TextField, type TextFieldProps } from './TextField.tsx'

type CaptchaFieldProps = Pick<TextFieldProps, 'value' | 'onChange' | 'onBlur' | 'onKeyDown' | 'error' | 'ref'> & {
  captcha: Captcha
  refresh: () => void
}

export const CaptchaField = ({ captcha, refresh, ...field }: CaptchaFieldProps) => {
  const { t } = useLanguage()
  const replace = () => {
    field.onChange('')
    refresh()
  }
  return (
    <TextField
      {...field}
      label={t.captcha}
      name="captchaCode"
      icon={icons.check}
      autoComplete="off"
      maxLength={16}
      onFocus={() => {
        if (isStale(captcha, performance.now())) replace()
      }}
      beside={
        <button
          type="button"
          className="captcha"
          aria-label={captcha.state === 'ready' ? t.captchaRefresh : undefined}
          title={t.captchaRefresh}
          aria-busy={captcha.state === 'loading'}
          onClick={replace}
        >
          {captcha.state === 'ready' && <img src={captcha.image} width={120} height={40} alt="" />}
          {captcha.state === 'loading' && t.captchaLoading}
          {captcha.state === 'failed' && t.captchaFailed}
        </button>
      }
    />
  )
}
