import { type MouseEvent, type ReactNode, useSyncExternalStore } from 'react'

/** Paths of this page; the server serves exactly these (http/web.ts). */
export const paths = {
  signIn: '/login',
  code: '/login/mobile',
  qr: '/login/qr',
  register: '/register',
  reset: '/reset-password',
  activate: '/activate',
} as const
export type FormPath = (typeof paths)[keyof typeof paths]

const watch = (changed: () => void) => {
  window.addEventListener('popstate', changed)
  return () => window.removeEventListener('popstate', changed)
}

export const usePath = () => useSyncExternalStore(watch, () => location.pathname)

/** The target after the sign-in stays in the address from form to form. */
const addressOf = (to: FormPath) => {
  const redirect = new URLSearchParams(location.search).get('redirect')
  return redirect === null ? to : `${to}?${new URLSearchParams({ redirect })}`
}

const go = (to: FormPath) => {
  history.pushState(null, '', addressOf(to))
  // The browser reports only its own navigation steps.
  window.dispatchEvent(new PopStateEvent('popstate'))
}

/** Another form of this page without reloading; with a modifier key or the middle button, an ordinary link. */
export const FormLink = ({ to, className, children }: { to: FormPath; className?: string; children: ReactNode }) => {
  const follow = (event: MouseEvent) => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    go(to)
  }
  return (
    <a href={addressOf(to)} className={className} onClick={follow}>
      {children}
    </a>
  )
}
