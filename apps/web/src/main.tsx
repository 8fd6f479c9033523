import { createRoot } from 'react-dom/client'
import { z } from 'zod'
import { tokens } from '#api/session.ts'
import { Console } from '#shell/Console.tsx'
import { guard } from '#shell/guard.ts'
import '#shell/shell.css'
import { lockedBell, routerFor } from './router.tsx'
import { screens } from './screens.ts'

// The content security policy forbids code made from text.
z.config({ jitless: true })

const has = (screen: string) => Object.hasOwn(screens, screen)

const elsewhere = guard(location, tokens.access())
if (elsewhere) location.replace(elsewhere)
else {
  const root = document.getElementById('root')
  if (!root) throw new Error('index.html has no element with the id root')
  createRoot(root).render(<Console has={has} routerFor={routerFor} lockedBell={lockedBell} />)
}
