import { test } from 'vitest'
import { eventually, browserTest } from './setup/browser-test.ts'
import { button } from './page-actions.ts'

const { world, openSignedOut, visit, allow } = browserTest({ language: 'en', theme: 'dark' })
const phone = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true }

test('replaces an expired QR code, and signs a browser in through a code scanned by a signed-in phone', async () => {
  allow(/qr-/)
  const page = await openSignedOut()
  await page.route('**/qr-state*', (route) =>
    route.fulfill({ json: { code: 200, msg: '', data: { state: 'EXPIRED', signedIn: null } } }),
  )
  await page.goto('/login/qr?redirect=%2Fprofile')
  await page.getByText('This QR code has expired.').waitFor()
  await page.unroute('**/qr-state*')
  const response = page.waitForResponse(/qr-ticket/)
  await page.getByRole('button', { name: 'Another QR code' }).click()
  await page.getByText('This QR code has expired.').waitFor({ state: 'hidden' })
  const { data } = (await (await response).json()) as { data: { ticket: string } }
  await page.getByRole('img', { name: 'QR code for signing in' }).waitFor()
  const link = `/qr-confirm?ticket=${data.ticket}`

  const guard = world().east.staff.guard
  const refusing = await visit(guard, link, phone)
  await refusing.getByText('127.0.0.1').waitFor()
  await page.getByText('Scanned. Please agree on the phone.').waitFor()
  await refusing.getByText(`May this browser sign in as “${guard.nickname}”?`).waitFor()
  await eventually(() => refusing.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  await button(refusing, 'Agree').click()
  await refusing.getByText('Agreed; the browser is signing in.').waitFor()
  await eventually(() => new URL(page.url()).pathname).toBe('/profile')
  await page.getByRole('button', { name: guard.nickname }).waitFor()

  // The used link is rejected for every user.
  const late = await visit(world().east.staff.safety, link, phone)
  await late.getByText('The QR code is no longer valid').waitFor()
  await late.goto('/qr-confirm?ticket=x')
  await late.getByText('This QR code is not valid or has expired; please scan it again.').waitFor()
})
