import { afterAll, test } from 'vitest'
import { makeUser } from '../apps/server/seed/fixtures.ts'
import { openPost } from './settings.ts'
import { eventually, browserTest } from './setup/browser-test.ts'
import { EAST_SCHOOL } from './setup/e2e-fixture.ts'
import { button, selectOption, closed, drawer, row, save, SETTLED, runRowAction, openRow } from './page-actions.ts'

const { site, world, visit, allow, all } = browserTest({ language: 'en', theme: 'light' })
const password = 'quiet-otter-58-river'

let post: Awaited<ReturnType<typeof openPost>> | undefined
afterAll(() => post?.close())

const someone = async (username: string) => {
  const { deptId } = world().east
  const nickname = `本人 ${username}`
  const { id } = await makeUser(site().db, { username, nickname, roles: ['safety_officer'], deptId, password })
  return { id, username, nickname }
}

// This test runs before messages can be sent: afterwards contacts are changed by a code only.
test('keeps typed profile data while an administrator changes the account, and shows the posts assigned there', async () => {
  const person = await someone('own.typed')
  const page = await visit(person, '/profile')
  const own = page.getByRole('tabpanel', { name: 'My data' })
  await own.getByText('Only an administrator can change your name').waitFor()
  await own.getByLabel('Mobile', { exact: true }).fill('13900020002')
  const admin = await visit(world().admin, `/system/user?username=${person.username}`)
  await runRowAction(admin, person.username, 'Edit')
  await drawer(admin).getByLabel('Name', { exact: true }).fill('管理员改的')
  await button(drawer(admin), 'More').click()
  await drawer(admin).getByText('Female', { exact: true }).click()
  await save(admin, 'Save')
  await closed(admin)
  await own.getByText('What you had not touched now shows what was saved: Sex.').waitFor()
  await eventually(() => own.getByRole('radio', { name: 'Female' }).isChecked()).toBe(true)
  await own.getByText('管理员改的', { exact: true }).waitFor()
  await eventually(() => own.getByLabel('Mobile', { exact: true }).inputValue()).toBe('13900020002')
  await button(own, 'Save').click()
  await page.getByText('Update Success').waitFor()
  await own.getByText('now shows what was saved').waitFor({ state: 'hidden' })
  const stored = all().selectFrom('users').select(['nickname', 'mobile', 'sex']).where('id', '=', person.id)
  const both = { nickname: '管理员改的', mobile: '13900020002', sex: 'FEMALE' }
  await eventually(() => stored.executeTakeFirst()).toEqual(both)

  await button(admin, 'Search').click()
  await row(admin, person.username).getByText('13900020002').waitFor()
  const card = page.getByRole('row', { name: /^Posts/ })
  await card.getByText('–', { exact: true }).waitFor()
  const posts = drawer(admin).getByRole('combobox', { name: 'Posts' })
  await runRowAction(admin, person.username, 'Edit')
  await button(drawer(admin), 'More').click()
  for (const post of ['Teacher', 'Guard']) {
    await selectOption(admin, posts, post)
    await admin.keyboard.press('Escape')
  }
  await save(admin)
  await closed(admin)
  const held = all().selectFrom('users').select('postIds').where('username', '=', person.username)
  await eventually(() => held.executeTakeFirst()).toEqual({ postIds: [3, 4] })
  for (const post of ['Guard', 'Teacher']) await card.getByText(post, { exact: true }).waitFor()
  await openRow(admin, person.username)
  for (const post of ['Guard', 'Teacher']) await drawer(admin).getByText(post, { exact: true }).waitFor()

  const guard = all().updateTable('dictData').where('dictType', '=', 'employee_post').where('value', '=', '3')
  await guard.set({ enabled: false }).execute()
  await admin.evaluate(() => sessionStorage.removeItem('dictCache'))
  await admin.reload()
  await runRowAction(admin, person.username, 'Edit')
  await drawer(admin).getByLabel('Name', { exact: true }).fill('有岗位的人')
  await button(drawer(admin), 'More').click()
  await drawer(admin).locator('.ant-select-selection-item').getByText('3', { exact: true }).waitFor()
  await save(admin)
  await closed(admin)
  await eventually(() => held.executeTakeFirst()).toEqual({ postIds: [3, 4] })
  await guard.set({ enabled: true }).execute()

  await button(admin, 'New').first().click()
  await drawer(admin).getByLabel('User name', { exact: true }).fill('own.new')
  await drawer(admin).getByLabel('Name', { exact: true }).fill('新人')
  await button(drawer(admin), 'More').click()
  await selectOption(admin, drawer(admin).getByRole('combobox', { name: 'Posts' }), 'Duty officer')
  await admin.keyboard.press('Escape')
  await drawer(admin).getByLabel('Department', { exact: true }).click()
  await admin.locator('.ant-select-dropdown:visible').getByText(EAST_SCHOOL, { exact: true }).click()
  await save(admin)
  await admin.locator('.ant-modal:visible').waitFor()
  const made = all().selectFrom('users').select('postIds').where('username', '=', 'own.new')
  await eventually(() => made.executeTakeFirst()).toEqual({ postIds: [6] })
})

test('changes the own number and mail address by a code, shows a wrong password at its field, and retries a failed load', async () => {
  allow(/update-(mobile|email)/, /enrol-second-factor/, /sign-in-options/)
  const { codeTo } = (post = await openPost(site()))
  const page = await visit(await someone('own.contact'), '/profile')
  await page.getByRole('tab', { name: 'Security' }).click()
  const bind = async (which: string, label: string, contact: string) => {
    await page.getByRole('button', { name: `${which} Change` }).click()
    const dialog = page.getByRole('dialog', { name: which })
    await dialog.getByLabel(label, { exact: true }).fill('not one')
    await button(dialog, 'Get code').click()
    await dialog.locator('.ant-form-item-explain-error').first().waitFor()
    await dialog.getByLabel(label, { exact: true }).fill(contact)
    const code = await codeTo(contact, () => button(dialog, 'Get code').click())
    await button(dialog, '60 s')
      .or(dialog.getByRole('button', { name: /^5\d s$/ }))
      .waitFor()
    await dialog.getByLabel('Verification code').fill(code === '111111' ? '222222' : '111111')
    await button(dialog, 'Bind').click()
    await dialog.getByText('The code is wrong or no longer valid').waitFor()
    await dialog.getByLabel('Verification code').fill(code)
    await button(dialog, 'Bind').click()
    await dialog.waitFor({ state: 'hidden' })
    await page.getByText(contact, { exact: true }).waitFor()
  }
  await bind('Mobile number', 'Mobile', '13900020001')
  await bind('E-mail', 'E-mail', 'own@school.test')

  await button(page, 'Turn on second factor').click()
  const dialog = page.getByRole('dialog', { name: 'Turn on second factor' })
  await dialog.getByLabel('Your password').fill('not-the-password')
  await button(dialog, 'Next').click()
  await dialog.locator('.ant-form-item-explain-error').getByText('The password is wrong').waitFor()
  await eventually(() => dialog.getByLabel('Your password').inputValue()).toBe('not-the-password')

  const options = '**/sign-in-options'
  await page.route(options, (route) => route.fulfill({ json: { code: 500, msg: 'stack', data: null } }))
  await page.reload()
  await page.locator('#content').getByText('Server error, please contact the administrator').waitFor()
  await page.unroute(options)
  await button(page, 'Try again').click()
  await page.getByRole('tab', { name: 'Security' }).waitFor()
})

test('lists the own sessions, ends one, and signs its browser out', async () => {
  allow(/401|A0230/)
  const person = await someone('own.sessions')
  const other = await visit(person, '/profile')
  await other.getByText(person.username, { exact: true }).first().waitFor()
  const page = await visit(person, '/profile')
  await page.getByRole('tab', { name: 'Devices' }).click()
  await page.getByText('This device').waitFor()
  await page.getByRole('button', { name: 'Sign out e2e' }).click()
  await button(page.locator(SETTLED), 'OK').click()
  await page.getByText('The device was signed out').waitFor()
  await eventually(() => new URL(other.url()).pathname).toBe('/login')
  await eventually(() => page.getByRole('button', { name: 'Sign all other devices out' }).count()).toBe(0)

  const [second, third] = [await visit(person, '/profile'), await visit(person, '/profile')]
  await third.getByText(person.username, { exact: true }).first().waitFor()
  await page.reload()
  await page.getByRole('tab', { name: 'Devices' }).click()
  await page.getByRole('button', { name: 'Sign all other devices out' }).click()
  await button(page.locator(SETTLED), 'OK').click()
  await page.getByText('Devices signed out: 2').waitFor()
  for (const gone of [second, third]) await eventually(() => new URL(gone.url()).pathname).toBe('/login')
})

test('fits the profile on a phone, fades tabs without room, and links to the settings of the appearance', async () => {
  const viewport = { width: 390, height: 844 }
  const page = await visit(await someone('own.phone'), '/profile', { viewport, hasTouch: true })
  const tabs = page.getByRole('tablist')
  const fading = () =>
    tabs.locator('.ant-tabs-nav-wrap').evaluate((wrap) => {
      const style = getComputedStyle(wrap)
      const [left, right] = ['left', 'right'].map((side) => style.getPropertyValue(`--fade-${side}`))
      return { fades: style.maskImage.startsWith('linear-gradient'), left, right }
    })
  await page.getByRole('tab', { name: 'My data' }).waitFor()
  await eventually(fading).toEqual({ fades: true, left: '', right: '56px' })
  await page.getByRole('tab', { name: 'Appearance' }).focus()
  await eventually(fading).toEqual({ fades: true, left: '56px', right: '' })

  await page.getByText('Live', { exact: true }).waitFor()
  for (const tab of ['Change password', 'Security', 'Devices', 'Appearance']) {
    const named = page.getByRole('tab', { name: tab })
    await named.scrollIntoViewIfNeeded()
    await named.click()
    await eventually(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  }
  await button(page, 'Change the appearance').click()
  await page.getByRole('dialog').getByText('Theme colour').waitFor()
})
