import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { notify } from '../notify.ts'
import { copyText } from './clipboard.ts'

/** SPEC 9: so long the thing that was copied says so itself. */
const SAID_MS = 1500

/** @returns the text that was copied a moment ago, and what copies another one and says how it went. */
export const useCopy = () => {
  const { t } = useTranslation()
  const [copied, setCopied] = useState<{ text: string }>()
  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(undefined), SAID_MS)
    return () => clearTimeout(timer)
  }, [copied])
  const copy = async (text: string) => {
    if (!(await copyText(text))) return notify.error(t('icon.copyFailed'))
    // An object of its own: copying the same again begins anew.
    setCopied({ text })
    notify.success(t('icon.copied'))
  }
  return [copied?.text, (text: string) => void copy(text)] as const
}
