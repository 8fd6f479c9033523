import { useState } from 'react'
import { useLocation } from 'react-router'
import { usePreferences } from '../theme/preferences.ts'
import { isAnythingUnsaved } from '#ui/form/unsaved-guard.ts'

/**
 * Whether pages stand behind tags. All pages restart when that changes, so it waits while a form has unsaved input.
 * `without` shows the page alone until another one is opened.
 */
export const useTagsEnabled = (): { tagged: boolean; without: () => void } => {
  const chosen = usePreferences((all) => all.tagsView)
  const { pathname } = useLocation()
  const [missed, setMissed] = useState<string>()
  const wanted = chosen && missed !== pathname
  const [tagged, setTagged] = useState(wanted)
  if (tagged !== wanted && !isAnythingUnsaved()) setTagged(wanted)
  return { tagged, without: () => setMissed(pathname) }
}
