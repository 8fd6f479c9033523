import type { FormInstance } from 'antd'
import { useEffect, useRef } from 'react'
import { useLang } from '#texts/i18n.ts'

/** Errors at the fields of a form follow the language of the screen. */
export const useRevalidateOnLanguage = (form: FormInstance): void => {
  const lang = useLang()
  const said = useRef(lang)
  useEffect(() => {
    if (said.current === lang) return
    said.current = lang
    const wrong = form.getFieldsError().filter(({ errors }) => errors.length > 0)
    // Validated again in the other language. Errors that only the server can report are cleared until the form is sent.
    void form.validateFields(wrong.map(({ name }) => name)).catch(() => undefined)
  }, [form, lang])
}
