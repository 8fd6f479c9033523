import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import sharp from 'sharp'
import { contrast } from '../apps/web/src/shell/theme/colors.ts'
import { changePreferences, follow } from './appearance.ts'
import { eventually, browserTest } from './setup/browser-test.ts'
import { button, row } from './page-actions.ts'

const { world, visit, all } = browserTest({ language: 'zh-cn', theme: 'dark' })

const enough = expect.toSatisfy((ratio: number) => ratio >= 4.5)

test('renders a dark page dark from the first frame, and changes the language everywhere at once', async () => {
  const { deptId } = world().east
  const notice = { title: '停水', content: '<p>正文</p>', type: '5', target: 'ALL', deptId } as const
  await all().insertInto('notice').values(notice).execute()
  const page = await visit(world().admin, '/system/notice')
  await changePreferences(page, { theme: 'dark', tagsView: true })
  await page.addInitScript(() => {
    const observed: string[] = []
    Object.assign(window, { seen: observed })
    const look = () => {
      const back = getComputedStyle(document.documentElement).backgroundColor
      if (document.body) observed.push(`${document.documentElement.classList.contains('dark')} ${back}`)
      if (observed.length < 20) requestAnimationFrame(look)
    }
    requestAnimationFrame(look)
  })
  await page.reload()
  await page.locator('.ant-table-row').first().waitFor()
  // The script above sets it.
  const observed = await page.evaluate(() => (window as unknown as { seen: string[] }).seen)
  expect(new Set(observed.map((text) => text.split(' ')[0]))).toEqual(new Set(['true']))

  await page.getByRole('button', { name: '语言' }).click()
  await page.getByRole('menuitem', { name: 'English' }).click()
  await page.getByText('Switch Language Successful!').waitFor()
  await page.getByRole('menuitem', { name: 'Schools' }).first().waitFor()
  const tags = page.getByRole('navigation', { name: 'Open pages' }).getByRole('listitem')
  await eventually(() => tags.allInnerTexts()).toEqual(['Dashboard', 'Notices'])
  await row(page, '停水').getByText('Work', { exact: true }).waitFor()
  await page.locator('.ant-pagination').getByText('20 / page').waitFor()
  await eventually(() => page.evaluate(() => document.documentElement.lang)).toBe('en')
  await eventually(() => page.title()).toBe('Notices - Tocsin')
  await page.getByRole('columnheader', { name: 'Title', exact: true }).waitFor()
  await eventually(() => page.locator('.layout-header').innerText()).not.toMatch(/学校|设备/)
})

test('never flashes the other theme when the theme follows the computer', async () => {
  const page = await visit(world().lead, '/school/list')
  await changePreferences(page, { theme: 'auto' })
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme })
    // Holds the scripts back: the screenshot shows the page before they have loaded.
    const late = Promise.withResolvers<void>()
    await page.route('**/assets/*.js', (route) => late.promise.then(() => route.continue()))
    await page.goto('/school/list', { waitUntil: 'commit' })
    await page.locator('.waiting').waitFor()
    await eventually(() => page.evaluate(() => document.styleSheets.length)).toBeGreaterThan(0)
    const { channels } = await sharp(await page.screenshot()).stats()
    const bright = channels.slice(0, 3).map(({ mean }) => mean > 127)
    expect([colorScheme, ...bright]).toEqual([colorScheme, ...bright.map(() => colorScheme === 'light')])
    late.resolve()
    await page.locator('#content').waitFor()
    await page.unroute('**/assets/*.js')
    // Switches the color scheme of the computer.
    await page.emulateMedia({ colorScheme: colorScheme === 'dark' ? 'light' : 'dark' })
    await eventually(() => page.evaluate(() => document.documentElement.classList.contains('dark'))).toBe(
      colorScheme === 'light',
    )
  }
})

/** Runs in the page before its own scripts: records the texts drawn on a canvas. */
const noteWords = (): void => {
  const words: string[] = []
  Object.assign(window, { words })
  const { fillText } = CanvasRenderingContext2D.prototype
  CanvasRenderingContext2D.prototype.fillText = function (text, ...at) {
    words.push(text)
    fillText.call(this, text, ...at)
  }
}

test('shows the watermark with the user name or a chosen text on every page, and restores it when it is removed', async () => {
  const page = await visit(world().lead, '/school/list')
  await page.locator('#content').waitFor()
  await page.evaluate(noteWords)
  // `noteWords` sets it.
  const words = () => page.evaluate(() => (window as unknown as { words: string[] }).words.join())
  await changePreferences(page, { watermarkEnabled: true })
  await eventually(words).toContain(world().lead.nickname)
  await changePreferences(page, { watermarkEnabled: true, watermarkContent: '仅供内部' })
  await eventually(words).toContain('仅供内部')
  const marks = () =>
    page.evaluate(() => {
      const found = [...document.querySelectorAll<HTMLElement>('div')].filter(
        ({ style }) => style.zIndex === '9999' && style.backgroundImage.startsWith('url'),
      )
      return found.map((element) => [element.offsetWidth >= innerWidth - 20, getComputedStyle(element).pointerEvents])
    })
  const takeOff = () =>
    page.evaluate(async () => {
      // antd checks the watermark once a frame.
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
      for (const element of document.querySelectorAll('div'))
        if (element.style.zIndex === '9999') element.lastElementChild?.remove()
    })
  const covering = [[true, 'none']]
  await eventually(marks).toEqual(covering)
  await takeOff()
  await eventually(marks).toEqual(covering)
  await page.getByRole('menuitem', { name: '首页', exact: true }).click()
  await eventually(() => new URL(page.url()).pathname).toBe('/dashboard')
  await takeOff()
  await eventually(marks).toEqual(covering)
})

/** Returns the lowest contrast of a button at rest, hovered and pressed. */
const legible = async (page: Page, locator: Locator): Promise<number> => {
  const ratio = async () => {
    const [color, surface] = await locator.evaluate((element) => {
      const { color, backgroundColor } = getComputedStyle(element)
      return [color, backgroundColor] as const
    })
    return contrast(color, surface)
  }
  await page.mouse.move(0, 0)
  const all = [await ratio()]
  await locator.hover()
  all.push(await ratio())
  await page.mouse.down()
  all.push(await ratio())
  // Releases the mouse elsewhere, so that nothing is clicked.
  await page.mouse.move(0, 0)
  await page.mouse.up()
  return Math.min(...all)
}

test('keeps button texts readable when hovered and pressed, in any theme color', async () => {
  const page = await visit(world().lead, '/warn/desk')
  for (const words of [['上岗并试听'], ['导出']]) {
    if (words.includes('导出')) await follow(page, '学校', '学校')
    for (const theme of ['light', 'dark'] as const)
      for (const themeColor of ['#4080ff', '#ffe000', '#101418']) {
        await changePreferences(page, { theme, themeColor })
        const shown = () =>
          page.evaluate(() => [
            document.documentElement.classList.contains('dark') ? 'dark' : 'light',
            document.documentElement.style.getPropertyValue('--color-primary'),
          ])
        await eventually(shown).toEqual([theme, themeColor])
        for (const text of words)
          expect([theme, themeColor, text, await legible(page, button(page, text).first())]).toEqual([
            theme,
            themeColor,
            text,
            enough,
          ])
      }
  }
})
