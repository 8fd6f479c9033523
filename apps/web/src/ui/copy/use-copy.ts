import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { notify } from '../notify.ts'
import { copyText } from './clipboard.ts'

/** SPEC 9: so long the thing that was copied says so itself. */
const SAID_MS = 1500

/** @returns what has it said no more. */
export const showCopied = (unsay: () => void): (() => void) => {
  const timer = setTimeout(unsay, SAID_MS)
  return () => clearTimeout(timer)
}

/** @returns the text that was copied a moment ago, and what copies another one and says how it went. */
export const useCopy = () => {
  const { t } = useTranslation()
  const [copied, setCopied] = useState<{ text: string }>()
  useEffect(() => (copied ? showCopied(() => setCopied(undefined)) : undefined), [copied])
  const copy = async (text: string) => {
    if (!(await copyText(text))) return notify.error(t('icon.copyFailed'))
    // An object of its own: copying the same again begins anew.
    setCopied({ text })
    notify.success(t('icon.copied'))
  }
  return [copied?.text, (text: string) => void copy(text)] as const
}
