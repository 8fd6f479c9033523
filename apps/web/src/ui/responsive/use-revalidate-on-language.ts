import type { FormInstance } from 'antd'
import { useEffect, useRef } from 'react'
import { useLang } from '#texts/i18n.ts'

/** What is said at the fields of a form follows the language like everything around it. */
export const useRevalidateOnLanguage = (form: FormInstance): void => {
  const lang = useLang()
  const said = useRef(lang)
  useEffect(() => {
    if (said.current === lang) return
    said.current = lang
    const wrong = form.getFieldsError().filter(({ errors }) => errors.length > 0)
    // Refused again, in the other language. What only the server can tell is not wrong here, and goes until it is sent.
    void form.validateFields(wrong.map(({ name }) => name)).catch(() => undefined)
  }, [form, lang])
}
