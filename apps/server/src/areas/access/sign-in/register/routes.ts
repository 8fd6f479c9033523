import { type Registration, RegistrationForm, registrations } from '@tocsin/contract/access/sign-in/register'
import { type Route, route } from '#http/route'
import { fieldError } from '#areas/audit/edit-transaction'
import type { AuthDeps } from '../deps.ts'
import { checkConfirmation } from '../password/password.ts'
import { approve, reject } from './approve.ts'
import { register } from './register.ts'

const toRegistration = ({ userName, confirmPassword, ...form }: RegistrationForm): Registration => {
  const { username = userName, password } = form
  if (username === undefined) throw fieldError(RegistrationForm, 'username', 'required')
  if (userName !== undefined && userName !== username) throw fieldError(RegistrationForm, 'userName', 'choice')
  checkConfirmation(RegistrationForm, password, confirmPassword)
  return { ...form, username }
}

export const registerRoutes = (deps: AuthDeps): Route[] => [
  route(registrations.register, ({ body, origin }) => register(deps, toRegistration(body), origin)),
  route(registrations.approve, ({ body, caller }) => approve(deps, body, caller)),
  route(registrations.reject, ({ body, caller }) => reject(deps, body, caller)),
]
