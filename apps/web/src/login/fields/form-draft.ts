import { useRef, useState } from 'react'
import type { Failure } from '../call.ts'
import { useLanguage } from '../text/language.tsx'
import { showServerMessage } from '../text/server-messages.ts'
import type { Texts } from '../text/texts.ts'
import type { Bound } from './TextField.tsx'

/** For each field, in the order of the form: its error, undefined when it is valid. */
export type FieldErrors<Name extends string> = Record<
  Name,
  (draft: Record<Name, string>, t: Texts) => string | undefined
>

/** The values of one form, their errors, and the first input with an error. */
export const useFormDraft = <Name extends string>(initial: Record<Name, string>, complaints: FieldErrors<Name>) => {
  const { t, language } = useLanguage()
  // Object.keys loses the key type.
  const names = Object.keys(complaints) as Name[]
  const [draft, setDraft] = useState(initial)
  const [checked, setChecked] = useState<Partial<Record<Name, boolean>>>({})
  const [blamed, setBlamed] = useState<Partial<Record<Name, string>>>({})
  const inputs = useRef<Partial<Record<Name, HTMLInputElement | null>>>({})

  const change = (name: Name, value: string) => {
    setDraft((before) => ({ ...before, [name]: value }))
    setChecked((before) => ({ ...before, [name]: false }))
    setBlamed((before) => ({ ...before, [name]: undefined }))
  }

  const field = (name: Name): Bound => ({
    name,
    value: draft[name],
    onChange: (value: string) => change(name, value),
    // An empty untouched field is not an error yet: leaving it for the language switch must not show one.
    onBlur: () => setChecked((before) => ({ ...before, [name]: before[name] || draft[name] !== '' })),
    error: (checked[name] ? complaints[name](draft, t) : undefined) ?? blamed[name],
    ref: (input: HTMLInputElement | null) => {
      inputs.current[name] = input
    },
  })

  const focus = (name: Name) => inputs.current[name]?.focus()

  /** Shows the errors of these fields and focuses the first; true when there are none. */
  const complete = (wanted: readonly Name[] = names) => {
    const shown = Object.fromEntries(wanted.map((name) => [name, true])) as Partial<Record<Name, boolean>>
    setChecked((before) => ({ ...before, ...shown }))
    const wrong = names.find((name) => wanted.includes(name) && complaints[name](draft, t))
    if (wrong) focus(wrong)
    return wrong === undefined
  }

  /** Marks the fields that the server rejected; true when that shows the whole error. */
  const blame = (errors: Failure['errors'] = []) => {
    const own = errors.filter(({ field }) => names.some((name) => name === field))
    const shown = own.map(({ field, message }) => [field, showServerMessage(message, language)])
    // Object.fromEntries loses the key type.
    setBlamed(Object.fromEntries(shown) as Partial<Record<Name, string>>)
    return own.length > 0 && own.length === errors.length
  }

  return { draft, change, field, focus, complete, blame }
}
