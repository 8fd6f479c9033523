import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import sharp from 'sharp'
import { contrast } from '../apps/web/src/shell/theme/colors.ts'
import { setPreferences } from './appearance.ts'
import { eventually, browserTest } from './setup/browser-test.ts'
import { button, row } from './page-actions.ts'

const { world, visit, all } = browserTest({ language: 'zh-cn', theme: 'dark' })

const enough = expect.toSatisfy((ratio: number) => ratio >= 4.5)

test('a dark page is dark before anything is drawn, and the language changes everywhere at once', async () => {
  const { deptId } = world().east
  const notice = { title: '停水', content: '<p>正文</p>', type: '5', target: 'ALL', deptId } as const
  await all().insertInto('notice').values(notice).execute()
  const page = await visit(world().admin, '/system/notice')
  await setPreferences(page, { theme: 'dark', tagsView: true })
  await page.addInitScript(() => {
    const seen: string[] = []
    Object.assign(window, { seen })
    const look = () => {
      const back = getComputedStyle(document.documentElement).backgroundColor
      if (document.body) seen.push(`${document.documentElement.classList.contains('dark')} ${back}`)
      if (seen.length < 20) requestAnimationFrame(look)
    }
    requestAnimationFrame(look)
  })
  await page.reload()
  await page.locator('.ant-table-row').first().waitFor()
  // The script above put it there.
  const seen = await page.evaluate(() => (window as unknown as { seen: string[] }).seen)
  expect(new Set(seen.map((one) => one.split(' ')[0]))).toEqual(new Set(['true']))

  await page.getByRole('button', { name: '语言' }).click()
  await page.getByRole('menuitem', { name: 'English' }).click()
  await page.getByText('Switch Language Successful!').waitFor()
  await page.getByRole('menuitem', { name: 'Schools' }).first().waitFor()
  const tags = page.getByRole('navigation', { name: 'Open pages' }).getByRole('listitem')
  await eventually(() => tags.allInnerTexts()).toEqual(['Dashboard', 'Notices'])
  await row(page, '停水').getByText('Work', { exact: true }).waitFor()
  await page.locator('.ant-pagination').getByText('10 / page').waitFor()
  await eventually(() => page.evaluate(() => document.documentElement.lang)).toBe('en')
  await eventually(() => page.title()).toBe('Notices - Tocsin')
  await page.getByRole('columnheader', { name: 'Title', exact: true }).waitFor()
  await eventually(() => page.locator('.layout-header').innerText()).not.toMatch(/学校|设备/)
})

test('with the theme left to the computer a dark one never shows a light page, nor a light one a dark', async () => {
  for (const colorScheme of ['dark', 'light'] as const) {
    const page = await visit(world().lead, '/school', { colorScheme })
    await setPreferences(page, { theme: 'auto' })
    // The page without any script of its own, as it stands until they have come.
    const late = Promise.withResolvers<void>()
    await page.route('**/assets/*.js', (route) => late.promise.then(() => route.continue()))
    await page.goto('/school', { waitUntil: 'commit' })
    await page.locator('.waiting').waitFor()
    await eventually(() => page.evaluate(() => document.styleSheets.length)).toBeGreaterThan(0)
    const { channels } = await sharp(await page.screenshot()).stats()
    const bright = channels.slice(0, 3).map(({ mean }) => mean > 127)
    expect([colorScheme, ...bright]).toEqual([colorScheme, ...bright.map(() => colorScheme === 'light')])
    late.resolve()
    await page.locator('#content').waitFor()
    // The computer changes its mind at dusk.
    await page.emulateMedia({ colorScheme: colorScheme === 'dark' ? 'light' : 'dark' })
    await eventually(() => page.evaluate(() => document.documentElement.classList.contains('dark'))).toBe(
      colorScheme === 'light',
    )
  }
})

/** Runs in the page before its own scripts: notes what is drawn as a picture of words. */
const noteWords = (): void => {
  const words: string[] = []
  Object.assign(window, { words })
  const { fillText } = CanvasRenderingContext2D.prototype
  CanvasRenderingContext2D.prototype.fillText = function (text, ...at) {
    words.push(text)
    fillText.call(this, text, ...at)
  }
}

test('the watermark names who looks, or says the chosen words, on every page, and does not go when it is taken off', async () => {
  const page = await visit(world().lead, '/school')
  await page.addInitScript(noteWords)
  // `noteWords` put it there.
  const words = () => page.evaluate(() => (window as unknown as { words: string[] }).words.join())
  await setPreferences(page, { watermarkEnabled: true })
  await eventually(words).toContain(world().lead.nickname)
  await setPreferences(page, { watermarkEnabled: true, watermarkContent: '仅供内部' })
  await eventually(words).toContain('仅供内部')
  const marks = () =>
    page.evaluate(() => {
      const found = [...document.querySelectorAll<HTMLElement>('div')].filter(
        ({ style }) => style.zIndex === '9999' && style.backgroundImage.startsWith('url'),
      )
      return found.map((one) => [one.offsetWidth >= innerWidth - 20, getComputedStyle(one).pointerEvents])
    })
  const takeOff = () =>
    page.evaluate(async () => {
      // The kit notices one change a frame.
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
      for (const one of document.querySelectorAll('div'))
        if (one.style.zIndex === '9999') one.lastElementChild?.remove()
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

/** How well the words of a button can be read at rest, under the mouse and pressed. */
const legible = async (page: Page, one: Locator): Promise<number> => {
  const ratio = async () => {
    const [color, surface] = await one.evaluate((element) => {
      const { color, backgroundColor } = getComputedStyle(element)
      return [color, backgroundColor] as const
    })
    return contrast(color, surface)
  }
  await page.mouse.move(0, 0)
  const all = [await ratio()]
  await one.hover()
  all.push(await ratio())
  await page.mouse.down()
  all.push(await ratio())
  // Let go elsewhere, which presses nothing.
  await page.mouse.move(0, 0)
  await page.mouse.up()
  return Math.min(...all)
}

test('the words of a button can be read under the mouse and pressed, in any theme color', async () => {
  const page = await visit(world().lead, '/desk')
  for (const theme of ['light', 'dark'] as const)
    for (const themeColor of ['#4080ff', '#ffe000', '#101418']) {
      await page.goto('/desk')
      await setPreferences(page, { theme, themeColor })
      const begin = button(page, '上岗并试听')
      expect([theme, themeColor, 'desk', await legible(page, begin)]).toEqual([theme, themeColor, 'desk', enough])
      await page.goto('/school')
      for (const words of ['搜索', '重置'])
        expect([theme, themeColor, words, await legible(page, button(page, words).first())]).toEqual([
          theme,
          themeColor,
          words,
          enough,
        ])
    }
})
