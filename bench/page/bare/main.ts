import { createElement } from 'react'
import { createRoot } from 'react-dom/client'

/** The minimum that a sign-in form rendered by React costs. */
const Form = () =>
  createElement(
    'form',
    null,
    createElement('h1', null, 'Sign in'),
    createElement('label', null, 'Name ', createElement('input', { name: 'username' })),
    createElement('label', null, 'Password ', createElement('input', { type: 'password' })),
    createElement('button', null, 'Sign in'),
  )

const root = document.getElementById('root')
if (root) createRoot(root).render(createElement(Form))
