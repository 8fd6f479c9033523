import { auth } from '@tocsin/contract/access/auth'
import { call, leavePage } from '#api/call.ts'
import { live } from '#api/live.ts'
import { clearSession } from '#api/session.ts'
import { setLocalItem, UNSYNCED } from '#api/storage.ts'
import { i18n } from '#texts/i18n.ts'
import { confirm } from '#ui/confirm.ts'
import { isAnythingUnsaved } from '#ui/form/unsaved-guard.ts'

/** Asks first (SPEC 4). It ends the session here even when the server is unreachable; there it expires. */
export const signOut = async (): Promise<void> => {
  const text = isAnythingUnsaved() ? { text: i18n.t('list.discardAsk') } : {}
  if (!(await confirm({ title: i18n.t('shell.logoutAsk'), ...text }))) return
  live.stop()
  await call(auth.logout).catch(() => undefined)
  clearSession()
  // The next user may be another one.
  setLocalItem(UNSYNCED, null)
  leavePage('/login')
}
