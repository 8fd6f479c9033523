import type { Page, Response } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import type { PermissionInfo } from '../packages/contract/src/access/auth.ts'
import { buildRoutes, localTitle, type PlannedRoute } from '../apps/web/src/shell/menu-routes.ts'
import { lazyTexts } from '../apps/web/src/texts/lazy-texts.ts'
import { texts } from '../apps/web/src/texts/texts.ts'
import { openInside } from './appearance.ts'
import { appearanceRules, axeViolations, prepare, waitUntilIdle } from './axe.ts'
import { alarmRow, claim, detail, recordAt, rings, startShift, submitVerb } from './desk.ts'
import { confirmDialog } from './page-actions.ts'
import { seedListRows } from './seed-list-rows.ts'
import { setSettings } from './settings.ts'
import { browserTest, eventually } from './setup/browser-test.ts'
import { ADMIN, CAPTCHA } from './setup/e2e-server.ts'

// The browser part of `npm test`: each screen of the menu once in each language, and one alarm from press to closing.
// Everything else that a browser proves is in the `*.e2e.ts` of `npm run test:all`.

const { site, world, visit, openSignedOut, devices } = browserTest({ language: 'zh-cn', theme: 'light' })

type Look = { language: 'zh-cn' | 'en'; width: number; height: number }
type Screen = Pick<PlannedRoute, 'path' | 'title'>

/** About a second for a screen on an idle machine; a busy one takes several times as long. */
const PATIENCE_MS = 600_000

const textGroups = Object.keys({ ...texts, ...lazyTexts })

/** Returns the code of a call's answer: an error has HTTP status 200 and a code of its own. */
const readCode = async (response: Response): Promise<unknown> => {
  // The body of an answer is gone when its page was left.
  const body: unknown = await response.json().catch(() => ({}))
  return Object(body)['code']
}

/** Records rejected calls of the page. @returns a function that returns them once their answers were read. */
const recordErrors = (page: Page): (() => Promise<string[]>) => {
  const answers: Promise<string | undefined>[] = []
  page.on('response', (response: Response) => {
    const url = response.url()
    if (response.status() >= 500) answers.push(Promise.resolve(`${response.status()} ${url}`))
    if (!url.includes('/admin-api/') || !response.headers()['content-type']?.startsWith('application/json')) return
    const isRejected = (code: unknown) => code !== undefined && code !== 200
    answers.push(readCode(response).then((code) => (isRejected(code) ? `code ${String(code)} of ${url}` : undefined)))
  })
  return async () => (await Promise.all(answers)).filter((text) => text !== undefined)
}

const presetLanguage = (language: string): void => {
  if (location.protocol === 'http:') localStorage['language'] ??= language
}

const signIn = async (page: Page, { language }: Look): Promise<PermissionInfo> => {
  const [user, password, captcha, submit] =
    language === 'en' ? ['Username', 'Password', 'Verify code', 'Sign in'] : ['用户名', '密码', '验证码', '登录']
  await page.goto('/login')
  await page.getByLabel(user).fill(ADMIN.username)
  await page.getByLabel(password, { exact: true }).fill(ADMIN.password)
  await page.getByRole('textbox', { name: captcha }).fill(CAPTCHA)
  const answer = page.waitForResponse((response) => response.url().includes('get-permission-info'))
  await page.getByRole('button', { name: submit, exact: true }).click()
  const { data } = (await (await answer).json()) as { data: PermissionInfo }
  await waitUntilIdle(page)
  return data
}

/** Returns the screens of the menu; pages of one row, whose address has a parameter, open from their list. */
const listScreens = ({ menus }: PermissionInfo): Screen[] =>
  buildRoutes(menus, () => true).routes.filter(({ kind, path }) => kind === 'screen' && !path.includes(':'))

const openScreen = async (page: Page, { path, title }: Screen, language: Look['language']): Promise<void> => {
  await page.evaluate(() => {
    document.title = ''
  })
  await openInside(page, path)
  const name = localTitle(title, language)
  await page.waitForFunction((part) => document.title.includes(part), name)
  // The screen's own chunk may still be loading, and its calls begin after that.
  await eventually(() => page.locator('#content').innerText()).toMatch(/\S/)
  await waitUntilIdle(page)
}

/** Returns texts that are a key such as `desk.claim`, whose translation is missing. */
const listShownKeys = (page: Page): Promise<string[]> =>
  page.evaluate((groups) => {
    const key = new RegExp(`^(${groups.join('|')})(\\.\\w+)+$`)
    return document.body.innerText.split('\n').filter((line) => key.test(line.trim()))
  }, textGroups)

const checkScreen = async (page: Page, { path }: Screen, rules: string[]): Promise<string[]> => {
  const errorPages = await page.locator('#content .statement').allInnerTexts()
  return [
    ...errorPages.map((text) => `${path}: error page: ${text}`),
    ...(await listShownKeys(page)).map((key) => `${path}: text without translation: ${key}`),
    ...(await axeViolations(page, path, 'html', rules)),
  ]
}

/** Signs in by the form, opens every screen of the menu, and returns what is wrong with them. */
const walkMenu = async (look: Look, rules: string[]): Promise<string[]> => {
  const { language, width, height } = look
  const page = await openSignedOut({ viewport: { width, height } })
  await page.addInitScript(presetLanguage, language)
  await prepare(page)
  const listErrors = recordErrors(page)
  const screens = listScreens(await signIn(page, look))
  expect(screens.length).toBeGreaterThan(40)
  const found: string[] = []
  for (const screen of screens) {
    await openScreen(page, screen, language)
    found.push(...(await checkScreen(page, screen, rules)))
  }
  return [...found, ...(await listErrors())]
}

beforeAll(async () => {
  await setSettings(site(), { 'site.demo': 'true' })
  await seedListRows(site(), world())
})

test(
  'opens every screen of the administrator without errors, in Chinese at 1440 px',
  async () => {
    expect(await walkMenu({ language: 'zh-cn', width: 1440, height: 900 }, [])).toEqual([])
  },
  PATIENCE_MS,
)

test(
  'opens every screen of the administrator without errors, in English at 390 px',
  async () => {
    expect(await walkMenu({ language: 'en', width: 390, height: 844 }, appearanceRules)).toEqual([])
  },
  PATIENCE_MS,
)

test('claims, verifies and resolves an alarm, and closes it by a second person', async () => {
  const { staff, devices: buttons } = world().east
  const fleet = await devices({ devices: buttons })
  const page = await visit(staff.safety, '/warn/desk')
  await startShift(page, { ringing: true })
  fleet.press('EAST-0002')
  await alarmRow(page, '102室').waitFor()
  await rings(page)
  // The page reports with its next heartbeat what it displayed and sounded.
  await eventually(async () => (await recordAt(site(), '102室')).soundedAt).not.toBe(null)
  await claim(page, '102室')
  await alarmRow(page, '102室').getByText('我 已接警').waitFor()
  await submitVerb(page, '核实', (form) => form.getByText('现场有人，意图不明').click())
  fleet.event('EAST-0002', 'MANUAL_RESET')
  await eventually(async () => (await recordAt(site(), '102室')).condition).toBe('RECOVERED')
  await submitVerb(page, '处置完成', async (form) => {
    await form.getByText('属实，已处置').click()
    await form.getByLabel('说明').fill('已劝离，家长接回')
  })

  const second = await visit(staff.head, '/warn/desk')
  await second.getByText('待审核 1').click()
  await alarmRow(second, '102室').click()
  await submitVerb(second, '结案', (form) => form.getByLabel('说明').fill('记录完整'))
  await detail(second).getByText('已结案').first().waitFor()
  const time = expect.any(Date)
  const milestones = { displayedAt: time, soundedAt: time, claimedAt: time, verifiedAt: time, resolvedAt: time }
  expect(await recordAt(site(), '102室')).toMatchObject({ state: 'CLOSED', ...milestones, closedAt: time })
})

test('leaves for the sign-in page when another tab of the browser signs out', async () => {
  const page = await visit(world().lead, '/profile')
  await page.locator('#content').waitFor()
  const other = await page.context().newPage()
  await other.goto('/profile')
  await other.getByRole('button', { name: world().lead.nickname }).click()
  await other.getByRole('menuitem', { name: '退出登录' }).click()
  await confirmDialog(other)
  for (const tab of [other, page]) await eventually(() => new URL(tab.url()).pathname).toBe('/login')
})
