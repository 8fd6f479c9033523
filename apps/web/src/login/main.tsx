import { createRoot } from 'react-dom/client'
import { LoginPage } from './LoginPage.tsx'
import { preloadApplication } from './preload.ts'
import { loadReturnTarget, socialAnswer } from './methods/SocialReturn.tsx'
import { safeRedirect } from './redirect.ts'
import { getLocalItem } from './storage.ts'
import { LanguageProvider } from './text/language.tsx'

const query = new URLSearchParams(location.search)
const reason = query.get('reason')
const social = socialAnswer(query)
// Without a wanted page the console chooses one by role.
const target = safeRedirect(social ? loadReturnTarget() : query.get('redirect'), location.origin, '/start')

// A token that the application has just found invalid must not redirect the user back to it, in a loop.
if (getLocalItem('ACCESS_TOKEN') && !['expired', 'server-error', 'change-password'].includes(reason ?? ''))
  location.replace('/')
else {
  const root = document.getElementById('root')
  if (!root) throw new Error('login.html has no element with the id root')
  createRoot(root).render(
    <LanguageProvider>
      <LoginPage visit={{ target, reason, why: query.get('why'), social }} />
    </LanguageProvider>,
  )
  preloadApplication()
}
