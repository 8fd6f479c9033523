import { test } from 'vitest'
import { soon, stage } from './stage/stage.ts'
import { button } from './words.ts'

const { world, stranger, visit, allow } = stage()
const phone = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true }

test('a phone that is signed in lends its session to a browser by a QR code, on the second one', async () => {
  allow(/qr-/)
  const page = await stranger()
  const asked = page.waitForResponse(/qr-ticket/)
  await page.goto('/login/qr?redirect=%2Fprofile')
  const { data } = (await (await asked).json()) as { data: { ticket: string } }
  await page.getByRole('img', { name: '登录二维码' }).waitFor()
  const link = `/qr-confirm?ticket=${data.ticket}`

  const guard = world().east.staff.guard
  const refusing = await visit(guard, link, phone)
  await refusing.getByText('127.0.0.1').waitFor()
  await page.getByText('已扫描，请在手机上确认。').waitFor()
  await refusing.getByText(`是否允许下面的浏览器以“${guard.nickname}”的身份登录？`).waitFor()
  await soon(() => refusing.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  await button(refusing, '确认登录').click()
  await refusing.getByText('已确认，浏览器正在登录。').waitFor()
  await soon(() => new URL(page.url()).pathname).toBe('/profile')
  await page.getByRole('button', { name: guard.nickname }).waitFor()

  // The same link is of no use to anybody any more.
  const late = await visit(world().east.staff.safety, link, phone)
  await late.getByText('二维码已失效').waitFor()
  await late.goto('/qr-confirm?ticket=x')
  await late.getByText('二维码无效或已过期，请重新扫描。').waitFor()
})

test('a QR code that ran out is covered and replaced', async () => {
  const page = await stranger()
  await page.route('**/qr-state*', (route) =>
    route.fulfill({ json: { code: 200, msg: '', data: { state: 'EXPIRED', signedIn: null } } }),
  )
  await page.goto('/login/qr')
  await page.getByText('二维码已过期。').waitFor()
  await page.unroute('**/qr-state*')
  await page.getByRole('button', { name: '换一个二维码' }).click()
  await page.getByText('二维码已过期。').waitFor({ state: 'hidden' })
  await page.getByRole('img', { name: '登录二维码' }).waitFor()
})
