import { createRoot } from 'react-dom/client'
import { z } from 'zod'
import { auth } from '@tocsin/contract/system/auth'
import { client, read, readUnseen } from '#api/query.ts'
import { tokens } from '#api/session.ts'
import { Console } from '#shell/Console.tsx'
import { guard } from '#shell/guard.ts'
import { usePreferences } from '#shell/look/preferences.ts'
import '#shell/shell.css'
import { speak } from '#texts/i18n.ts'
import { figures, latestNotices } from './areas/insight/home/reads.ts'
import { DASHBOARD, lockedBell, routerFor } from './router.tsx'
import { screens } from './screens.ts'

// The content security policy forbids code made from text.
z.config({ jitless: true })

const has = (screen: string) => Object.hasOwn(screens, screen)

/** Most days begin there: its part comes beside the permissions, its figures while the frame is drawn. */
const beginDashboard = async (granted: Promise<void>) => {
  // What does not come now is asked for again by the page's route.
  void screens['dashboard/index']?.().catch(() => undefined)
  await granted
  // Nobody hears of his figures who is not let in.
  if (!client.getQueryData(read(auth.permissionInfo).queryKey)) return
  await Promise.all([client.prefetchQuery(figures), client.prefetchQuery(latestNotices)])
}

const start = (root: Element) => {
  const render = () => createRoot(root).render(<Console has={has} routerFor={routerFor} lockedBell={lockedBell} />)
  readUnseen()
  // Under way while everything else is made ready; the gate waits for the answer and hears of a failure.
  const granted = client.prefetchQuery(read(auth.permissionInfo))
  if (['/', DASHBOARD].includes(location.pathname)) void beginDashboard(granted)
  // Texts that do not come leave the page in Chinese.
  void speak(usePreferences.getState().language).then(render, render)
}

const elsewhere = guard(location, tokens.access())
if (elsewhere) location.replace(elsewhere)
else {
  const root = document.getElementById('root')
  if (!root) throw new Error('index.html has no element with the id root')
  start(root)
}
