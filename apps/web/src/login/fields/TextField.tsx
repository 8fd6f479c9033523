import { type InputHTMLAttributes, type ReactNode, type Ref, useId } from 'react'

export type TextFieldProps = Pick<
  InputHTMLAttributes<HTMLInputElement>,
  'autoComplete' | 'autoFocus' | 'inputMode' | 'maxLength' | 'onBlur' | 'onFocus' | 'onKeyUp' | 'onKeyDown' | 'type'
> & {
  label: string
  /** False allows an empty value. */
  required?: boolean
  name: string
  value: string
  onChange: (value: string) => void
  icon: ReactNode
  error?: string | undefined
  hint?: ReactNode
  /** Content inside the frame, after the text. */
  after?: ReactNode
  /** Content to the right of the frame. */
  beside?: ReactNode
  ref?: Ref<HTMLInputElement>
}

/** Properties that the form passes to a field. */
export type Bound = Pick<TextFieldProps, 'name' | 'value' | 'onChange' | 'onBlur' | 'error' | 'ref'>

/** Text input with label and error; both are linked to the input for screen readers. */
export const TextField = ({
  label,
  onChange,
  icon,
  error,
  hint,
  after,
  beside,
  type,
  required = true,
  ...input
}: TextFieldProps) => {
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <div className="row">
        <div className={error ? 'frame wrong' : 'frame'}>
          {icon}
          <input
            {...input}
            id={id}
            type={type ?? 'text'}
            spellCheck={false}
            autoCapitalize="none"
            autoCorrect="off"
            aria-required={required}
            aria-invalid={error !== undefined}
            aria-describedby={`${id}-error ${id}-hint`}
            onChange={(event) => onChange(event.target.value)}
          />
          {after}
        </div>
        {beside}
      </div>
      <p id={`${id}-error`} className="error" aria-live="polite">
        {error}
      </p>
      <div id={`${id}-hint`} className="hint" aria-live="polite">
        {hint}
      </div>
    </div>
  )
}
