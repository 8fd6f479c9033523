import { useEffect, useRef } from 'react'
import { policies } from '../text/policy.ts'
import { useLanguage } from '../text/language.tsx'

/** The policy over the form; Esc closes it, and the input stays. */
export const Policy = ({ onClose }: { onClose: () => void }) => {
  const { t, language } = useLanguage()
  const dialog = useRef<HTMLDialogElement>(null)
  const { title, parts } = policies[language]
  useEffect(() => dialog.current?.showModal(), [])
  return (
    <dialog ref={dialog} className="policy" aria-labelledby="policy-title" onClose={onClose}>
      <h2 id="policy-title">{title}</h2>
      {parts.map(([heading, text]) => (
        <section key={heading}>
          <h3>{heading}</h3>
          <p>{text}</p>
        </section>
      ))}
      <button type="button" className="primary" onClick={() => dialog.current?.close()}>
        {t.policyClose}
      </button>
    </dialog>
  )
}
