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
const target = safeRedirect(social ? loadReturnTarget() : query.get('redirect'), location.origin)

// A token the application itself has just found unusable must not send the person back to it, in a circle.
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
