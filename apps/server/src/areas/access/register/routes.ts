import { registrations } from '@tocsin/contract/access/sign-in/register'
import { type Route, route } from '#http/route'
import type { AuthDeps } from '../sign-in/deps.ts'
import { approve, reject } from './approve.ts'
import { register } from './register.ts'

export const registerRoutes = (deps: AuthDeps): Route[] => [
  route(registrations.register, ({ body, origin }) => register(deps, body, origin)),
  route(registrations.approve, ({ body, actor, origin }) => approve(deps, body, { actor, origin })),
  route(registrations.reject, ({ body, actor, origin }) => reject(deps, body, { actor, origin })),
]
