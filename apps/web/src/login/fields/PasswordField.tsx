import { type KeyboardEvent, useState } from 'react'
import { icons } from '../icons.tsx'
import { useLanguage } from '../text/language.tsx'
import { TextField, type TextFieldProps } from './TextField.tsx'

/** A password that can be revealed, with a warning while Caps Lock is on. */
export const PasswordField = ({ hint, onBlur, ...field }: Omit<TextFieldProps, 'icon' | 'after' | 'type'>) => {
  const { t } = useLanguage()
  const [visible, setVisible] = useState(false)
  const [capsLock, setCapsLock] = useState(false)
  const watchCapsLock = (event: KeyboardEvent) => setCapsLock(event.getModifierState('CapsLock'))
  const toggle = visible ? t.hidePassword : t.showPassword
  return (
    <TextField
      {...field}
      type={visible ? 'text' : 'password'}
      icon={icons.lock}
      onKeyUp={watchCapsLock}
      onKeyDown={watchCapsLock}
      onBlur={(event) => {
        setCapsLock(false)
        onBlur?.(event)
      }}
      hint={
        <>
          {capsLock && <p className="warning">{t.capsLock}</p>}
          {hint}
        </>
      }
      after={
        <button
          type="button"
          className="inside"
          aria-label={toggle}
          aria-pressed={visible}
          title={toggle}
          onClick={() => setVisible(!visible)}
        >
          {visible ? icons.eyeOff : icons.eye}
        </button>
      }
    />
  )
}
