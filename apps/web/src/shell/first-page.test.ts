import { expect, test } from 'vitest'
import { chooseFirstPage } from './first-page.ts'
import type { PlannedRoute } from './menu-routes.ts'

const routes = [
  'dashboard/index',
  'warn/desk/index',
  'task/index',
  'policeSituation/desk',
  'device/maintenance',
  'warn/record/index',
  'supervise/index',
  'system/log/index',
].map((screen): PlannedRoute => {
  const path = screen === 'dashboard/index' ? '/dashboard' : `/${screen}`
  return { kind: 'screen', path, screen, query: {}, title: { name: '', nameEn: '' }, keepAlive: true }
})

const first = (roles: string[], given: { chosen?: string; phone?: boolean } = {}) =>
  chooseFirstPage({ roles, chosen: '', phone: false, ...given }, routes)

test.each([
  [['guard'], '/task/index'],
  [['officer'], '/task/index'],
  [['command_operator'], '/warn/desk/index'],
  [['guard', 'shift_lead'], '/warn/desk/index'],
  [['station_desk'], '/policeSituation/desk'],
  [['maintainer'], '/device/maintenance?mine=true'],
  [['counsellor'], '/warn/record/index?class=BULLY'],
  [['supervisor'], '/supervise/index?view=ISSUED'],
  [['auditor'], '/system/log/index'],
])('leads %j to its own page', (roles, path) => {
  expect(first(roles)).toBe(path)
})

test('leads a school to the dashboard on a computer and to its tasks on a phone', () => {
  expect(first(['school_admin', 'guard'])).toBeUndefined()
  expect(first(['safety_officer'], { phone: true })).toBe('/task/index')
})

test('leads everybody else to the dashboard', () => {
  for (const role of ['edu_bureau', 'super_admin']) expect(first([role])).toBe('/dashboard')
  expect(first(['own_role'])).toBeUndefined()
})

test('follows the choice of the person as long as the screen is in the menus', () => {
  expect(first(['guard'], { chosen: 'warn/record/index' })).toBe('/warn/record/index')
  expect(first(['guard'], { chosen: 'gone/index' })).toBe('/task/index')
})
