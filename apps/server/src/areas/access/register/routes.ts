import { registrations } from '@tocsin/contract/access/sign-in/register'
import { type Route, route } from '#http/route'
import type { AuthDeps } from '../sign-in/deps.ts'
import { approve, reject } from './approve.ts'
import { register } from './register.ts'

export const registerRoutes = (deps: AuthDeps): Route[] => [
  route(registrations.register, ({ body, origin }) => register(deps, body, origin)),
  route(registrations.approve, ({ body, caller }) => approve(deps, body, caller)),
  route(registrations.reject, ({ body, caller }) => reject(deps, body, caller)),
]
