import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { notify } from '../notify.ts'

/** Fallback for a browser without a clipboard, as on plain http of an intranet. */
const copySelected = (text: string): boolean => {
  const field = Object.assign(document.createElement('textarea'), { value: text, readOnly: true })
  field.style.position = 'fixed'
  field.style.opacity = '0'
  const before = document.activeElement
  document.body.append(field)
  field.select()
  try {
    return document.execCommand('copy')
  } catch {
    return false
  } finally {
    field.remove()
    if (before instanceof HTMLElement) before.focus()
  }
}

/** Copies a text to the clipboard. @returns whether it succeeded. */
const copyText = async (text: string): Promise<boolean> => {
  // Undefined in an insecure context, although the type says otherwise.
  const clipboard = navigator.clipboard as Clipboard | undefined
  if (!clipboard) return copySelected(text)
  return clipboard.writeText(text).then(
    () => true,
    () => copySelected(text),
  )
}

/** SPEC 9: how long the success is shown. */
const SAID_MS = 1500

/** @returns the function that clears the success. */
export const showCopied = (unsay: () => void): (() => void) => {
  const timer = setTimeout(unsay, SAID_MS)
  return () => clearTimeout(timer)
}

/** @returns the text that was copied a moment ago, and the function that copies another one and reports the result. */
export const useCopy = () => {
  const { t } = useTranslation()
  const [copied, setCopied] = useState<{ text: string }>()
  useEffect(() => (copied ? showCopied(() => setCopied(undefined)) : undefined), [copied])
  const copy = async (text: string) => {
    if (!(await copyText(text))) return notify.error(t('icon.copyFailed'))
    // A new object: copying the same text again restarts the timer.
    setCopied({ text })
    notify.success(t('icon.copied'))
  }
  return [copied?.text, (text: string) => void copy(text)] as const
}
