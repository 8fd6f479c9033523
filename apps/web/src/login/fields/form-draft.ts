import { useRef, useState } from 'react'
import type { Failure } from '../call.ts'
import { useLanguage } from '../text/language.tsx'
import { showServerMessage } from '../text/server-messages.ts'
import type { Texts } from '../text/texts.ts'
import type { Bound } from './TextField.tsx'

/** For each field, in the order of the form: what is wrong with it, undefined when nothing. */
export type FieldErrors<Name extends string> = Record<
  Name,
  (draft: Record<Name, string>, t: Texts) => string | undefined
>

/** The texts of one form, what is wrong with each, and the input to go to when it is. */
export const useFormDraft = <Name extends string>(initial: Record<Name, string>, complaints: FieldErrors<Name>) => {
  const { t, language } = useLanguage()
  // Object.keys forgets the key type.
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
    // An empty field nobody typed in is no mistake yet: leaving it for the language switch must not scold.
    onBlur: () => setChecked((before) => ({ ...before, [name]: before[name] || draft[name] !== '' })),
    error: (checked[name] ? complaints[name](draft, t) : undefined) ?? blamed[name],
    ref: (input: HTMLInputElement | null) => {
      inputs.current[name] = input
    },
  })

  const focus = (name: Name) => inputs.current[name]?.focus()

  /** Shows what is wrong with these fields and goes to the first; true when nothing is. */
  const complete = (wanted: readonly Name[] = names) => {
    const shown = Object.fromEntries(wanted.map((name) => [name, true])) as Partial<Record<Name, boolean>>
    setChecked((before) => ({ ...before, ...shown }))
    const wrong = names.find((name) => wanted.includes(name) && complaints[name](draft, t))
    if (wrong) focus(wrong)
    return wrong === undefined
  }

  /** Marks the fields the server refused; true when that says all there is to say. */
  const blame = (errors: Failure['errors'] = []) => {
    const own = errors.filter(({ field }) => names.some((name) => name === field))
    const shown = own.map(({ field, message }) => [field, showServerMessage(message, language)])
    // Object.fromEntries forgets the key type.
    setBlamed(Object.fromEntries(shown) as Partial<Record<Name, string>>)
    return own.length > 0 && own.length === errors.length
  }

  return { draft, change, field, focus, complete, blame }
}
