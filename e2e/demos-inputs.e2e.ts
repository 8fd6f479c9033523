import sharp from 'sharp'
import { expect, test } from 'vitest'
import { demoBrowserTest, drawer, fits, phone } from './demo-browser-test.ts'
import { eventually } from './setup/browser-test.ts'
import { button, selectOption, row } from './page-actions.ts'

const { world, at, all, open, allow } = demoBrowserTest(true)

test('choices and labels come from the dictionary, and follow when it is edited', async () => {
  const page = await open(world().admin, '/demo/dict', { lang: 'en' })
  await selectOption(page, page.getByLabel('Select, the value is a number'), 'Male')
  await page.locator('code').getByText('1', { exact: true }).waitFor()
  await page.getByRole('radio', { name: 'Female' }).check()
  await page.locator('code').getByText('"2"', { exact: true }).first().waitFor()
  await page.getByRole('checkbox', { name: 'Unknown' }).check()
  await page.getByText('["0","1","2"]').waitFor()
  await page.getByText('A value that it does not have').locator('..').getByText('9').waitFor()
  const { id } = await all()
    .selectFrom('dictData')
    .select('id')
    .where('dictType', '=', 'system_user_sex')
    .where('value', '=', '2')
    .executeTakeFirstOrThrow()
  await page.evaluate(async (entry) => {
    const headers = {
      authorization: `Bearer ${localStorage.getItem('ACCESS_TOKEN')}`,
      'content-type': 'application/json',
    }
    const body = JSON.stringify({ id: entry, labelEn: 'Woman' })
    await fetch('/admin-api/system/dict-data/update', { method: 'PUT', headers, body })
  }, id)
  await page.getByRole('radio', { name: 'Woman' }).waitFor()
})

test('a reload shows the dictionaries before any were read anew, and they are read again each minute', async () => {
  const page = await open(world().admin, '/demo/dict', {})
  const choices = page.getByRole('radio')
  await choices.first().waitFor()
  // A page that has become live reads all anew, and keeps nothing until that has come.
  await page.getByText('实时', { exact: true }).waitFor()
  await page.waitForLoadState('networkidle')
  await eventually(() => page.evaluate(() => sessionStorage.getItem('dictCache') !== null)).toBe(true)
  await page.clock.install()
  const late = Promise.withResolvers<void>()
  let asked = 0
  await page.route('**/dict-data/simple-list*', async (route) => {
    asked += 1
    await late.promise
    return route.continue()
  })
  await page.reload()
  await page.getByText('实时', { exact: true }).waitFor()
  await eventually(() => choices.count()).toBe(3)
  late.resolve()
  // Once at most because the page has become live.
  for (const times of [2, 3])
    await eventually(async () => {
      await page.clock.fastForward(61_000)
      return asked
    }).toBeGreaterThanOrEqual(times)
})

test('an icon is picked by the keyboard, and typed', async () => {
  const page = await open(world().lead, '/demo/icon-selector', { lang: 'en', dark: true })
  const field = page.getByLabel('Icon', { exact: true })
  const panel = page.locator('.icon-popover:visible')
  await field.focus()
  await page.keyboard.press('ArrowDown')
  await panel.getByLabel('Search icons').waitFor()
  await page.keyboard.type('alarm')
  await page.keyboard.press('ArrowDown')
  await eventually(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('ep:alarm-clock')
  await page.keyboard.press('Enter')
  await panel.waitFor({ state: 'hidden' })
  await eventually(() => field.inputValue()).toBe('ep:alarm-clock')
  await page.keyboard.press('ArrowDown')
  await panel.waitFor()
  await page.keyboard.press('Escape')
  await panel.waitFor({ state: 'hidden' })
  await field.fill('user')
  await page.locator('.demo-large-icon svg[data-icon=user]').waitFor()
})

test('a menu entry gets its icon from the picker, and shows it', async () => {
  const page = await open(world().admin, '/system/menu', { dark: true })
  await page.locator('.filter-bar [id$=_name]').fill('Signature')
  await button(page, '搜索').click()
  await button(row(page, '签名'), '编辑').click()
  const field = drawer(page).getByLabel('菜单图标')
  await field.click()
  await page.locator('.icon-popover:visible').getByLabel('搜索图标').fill('medal')
  await page.locator('.icon-popover:visible').getByRole('button', { name: 'ep:medal', exact: true }).click()
  await eventually(() => field.inputValue()).toBe('ep:medal')
  await button(drawer(page), '保存').click()
  const kept = () =>
    all().selectFrom('menu').select('icon').where('componentName', '=', 'DemoSignature').executeTakeFirst()
  await eventually(kept).toEqual({ icon: 'ep:medal' })
})

test('the icons of that name are shown, whichever tab they are in', async () => {
  const page = await open(world().lead, '/demo/icons', {})
  const bell = page.getByRole('button', { name: 'ep:bell', exact: true })
  await eventually(() => bell.isVisible()).toBe(false)
  await page.getByLabel('搜索图标').fill('bell')
  await bell.waitFor()
  await page.getByRole('tab', { name: 'Element 图标 (2)', selected: true }).waitFor()
})

test('a click copies an icon’s name and says so for a moment, or that it failed', async () => {
  const page = await open(world().lead, '/demo/icons', {})
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.getByRole('tab', { name: 'Element 图标' }).click()
  const bell = page.getByRole('button', { name: 'ep:bell', exact: true })
  const said = bell.evaluate(
    (one) =>
      new Promise<number>((resolve) => {
        let since = 0
        new MutationObserver(() => {
          if (one.getAttribute('data-done') === 'true') since = performance.now()
          else if (since > 0) resolve(performance.now() - since)
        }).observe(one, { attributeFilter: ['data-done'] })
      }),
  )
  await bell.click()
  await page.getByText('复制成功').waitFor()
  await eventually(() => page.evaluate(() => navigator.clipboard.readText())).toBe('ep:bell')
  // SPEC 9's time at least; a busy machine takes longer.
  expect(await said).toBeGreaterThan(1350)
  await page.evaluate(() => {
    navigator.clipboard.writeText = () => Promise.reject(new Error('no'))
    document.execCommand = () => false
  })
  await bell.click()
  await page.getByText('复制失败').waitFor()
})

test('a name is signed by finger, kept as a picture here and on the server, and wiped', async () => {
  const page = await open(world().lead, '/demo/signature', { dark: true, ...phone })
  await eventually(() => button(page, '保存为图片').isDisabled()).toBe(true)
  const paper = await page.locator('canvas').boundingBox()
  const { x, y } = paper ?? { x: 0, y: 0 }
  await page.mouse.move(x + 40, y + 60)
  await page.mouse.down()
  for (let step = 1; step <= 10; step += 1) await page.mouse.move(x + 40 + step * 15, y + 60 + (step % 3) * 20)
  await page.mouse.up()
  const [picture] = await Promise.all([page.waitForEvent('download'), button(page, '保存为图片').click()])
  const ink = await sharp(await picture.path()).stats()
  expect(ink.channels[0]?.min).toBeLessThan(100)
  await button(page, '保存到后端').click()
  const shown = page.getByRole('img', { name: '后端保存的签名' })
  await shown.waitFor()
  await eventually(() => shown.evaluate((image) => (image as HTMLImageElement).naturalWidth)).toBeGreaterThan(100)
  await fits(page)
  await page.reload()
  await shown.waitFor()
  await eventually(() => shown.evaluate((image) => (image as HTMLImageElement).naturalWidth)).toBeGreaterThan(100)
  await eventually(() => button(page, '保存到后端').isDisabled()).toBe(true)
})

test('a signature that was not saved is wiped', async () => {
  const page = await open(world().lead, '/demo/signature', {})
  await eventually(() => button(page, '保存到后端').isDisabled()).toBe(true)
  const { x = 0, y = 0 } = (await page.locator('canvas').boundingBox()) ?? {}
  await page.mouse.move(x + 40, y + 60)
  await page.mouse.down()
  await page.mouse.move(x + 140, y + 90)
  await page.mouse.up()
  await eventually(() => button(page, '保存到后端').isDisabled()).toBe(false)
  await button(page, '清空').click()
  await eventually(() => button(page, '保存到后端').isDisabled()).toBe(true)
})

test('a form takes one picture, several, and files', async () => {
  const page = await open(world().lead, '/demo/upload', { lang: 'en' })
  await page.locator('input[type=file]').nth(2).waitFor({ state: 'attached' })
  const [one, several, files] = await page.locator('.ant-card').locator('input[type=file]').elementHandles()
  await one?.setInputFiles(at('现场.png'))
  await several?.setInputFiles([at('现场.png'), at('现场.png')])
  await files?.setInputFiles(at('说明.txt'))
  await eventually(() => page.locator('.image-card[data-state=done]').count()).toBe(3)
  await page.getByRole('link', { name: '说明.txt' }).waitFor()
  await eventually(() => page.locator('.demo-single-image input[type=file]').count()).toBe(0)
})

test('a file that is sent shows how far it is; a picture that did not arrive is sent again', async () => {
  allow(/ERR_FAILED/)
  const page = await open(world().lead, '/demo/upload', { dark: true })
  await page.locator('input[type=file]').nth(2).waitFor({ state: 'attached' })
  const inputs = page.locator('.ant-card').locator('input[type=file]')
  await page.evaluate(() => {
    const seen = new Set<number>()
    Object.assign(window, { seen: () => [...seen] })
    const note = () =>
      document
        .querySelectorAll('[role=progressbar]')
        .forEach((one) => seen.add(Number(one.getAttribute('aria-valuenow'))))
    new MutationObserver(note).observe(document.body, { subtree: true, childList: true, attributes: true })
  })
  const line = await page.context().newCDPSession(page)
  await line.send('Network.enable')
  const slowTo = (uploadThroughput: number) =>
    line.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 0,
      downloadThroughput: -1,
      uploadThroughput,
    })
  await slowTo(400_000)
  await inputs.nth(2).setInputFiles({ name: '长.txt', mimeType: 'text/plain', buffer: Buffer.alloc(900_000, '字') })
  await page.getByRole('link', { name: '长.txt' }).waitFor()
  // The function above put it there.
  const seen = await page.evaluate(() => (window as unknown as { seen: () => number[] }).seen())
  expect(seen).toContainEqual(expect.toSatisfy((percent: number) => percent > 0 && percent < 100))
  await slowTo(-1)

  await page.route('**/demo/upload/create', (route) => route.abort())
  await inputs.nth(0).setInputFiles(at('现场.png'))
  await page.locator('.demo-single-image [data-state=failed]').waitFor()
  await page.unroute('**/demo/upload/create')
  await button(page.locator('.demo-single-image'), '重试 现场.png').click()
  await page.locator('.demo-single-image .image-card[data-state=done]').waitFor()
})

test('what is called a picture and is none is refused as that, in words that are all to be read', async () => {
  const page = await open(world().lead, '/demo/upload', {})
  allow(/demo\/upload/)
  await page.locator('input[type=file]').nth(2).waitFor({ state: 'attached' })
  const svg = { mimeType: 'image/png', buffer: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>') }
  const several = page.locator('.ant-card').locator('input[type=file]').nth(1)
  await several.setInputFiles([
    { ...svg, name: '假.png' },
    { ...svg, name: '图.svg' },
  ])
  const said = page.locator('.image-fault')
  await eventually(async () => (await said.allTextContents()).toSorted()).toEqual([
    '文件的内容不是图片',
    '文件的类型不支持，可用：png jpg jpeg webp gif',
  ])
  /** Of each, whether its last line ends above the button that takes it away. */
  const whole = (faults: Element[]) =>
    faults.map((fault) => {
      const tool = fault.parentElement?.querySelector('.image-tools button')
      return (
        fault.scrollHeight <= fault.clientHeight &&
        fault.getBoundingClientRect().bottom <= (tool?.getBoundingClientRect().top ?? 0)
      )
    })
  await eventually(() => said.evaluateAll(whole)).toEqual([true, true])
})

test('a text is written, cleaned, and shown again after a reload', async () => {
  const page = await open(world().lead, '/demo/rich', { lang: 'en', dark: true })
  const text = page.getByRole('textbox', { name: 'Write' })
  await text.click()
  await page.getByRole('toolbar').getByRole('button', { name: 'Heading 1' }).click()
  await page.keyboard.type('值班须知')
  await page.getByRole('menuitem', { name: 'Dashboard' }).getByRole('link').click()
  const question = page.getByRole('dialog', { name: 'Discard what you changed?' })
  await button(question, 'Cancel').click()
  const tool = page.getByRole('toolbar').getByRole('button', { name: 'Insert pictures' })
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), tool.click()])
  await chooser.setFiles(at('现场.png'))
  await text.locator('img').waitFor()
  await button(page, 'Save').click()
  await page.getByText('Update Success').waitFor()
  await page.reload()
  const pictures = page.locator('.rich img')
  await eventually(() =>
    pictures.evaluateAll((all) => all.map((one) => one instanceof HTMLImageElement && one.naturalWidth)),
  ).toEqual([320, 320])
  await eventually(() => page.locator('.rich h1').allTextContents()).toEqual(['值班须知', '值班须知'])
})

test('a text that was begun before somebody else saved his is refused, and saved once both were seen', async () => {
  allow(/demo\/text/)
  const pages = [await open(world().lead, '/demo/rich', {}), await open(world().lead, '/demo/rich', {})] as const
  const write = async (page: (typeof pages)[number], words: string) => {
    await page.getByRole('textbox', { name: '编辑' }).click()
    await page.keyboard.press('Control+a')
    await page.keyboard.type(words)
  }
  const kept = () => all().selectFrom('demoText').select('content').where('userId', '=', world().lead.id).execute()
  await write(pages[0], '先写的')
  await write(pages[1], '先存的')
  await button(pages[1], '保存').click()
  await eventually(kept).toEqual([{ content: expect.stringContaining('先存的') }])
  // Looked at again, the page reads again what it shows beside the text that is being written.
  const shown = pages[0].locator('.ant-card').nth(1).getByText('先存的')
  const look = () => pages[0].evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })))
  await eventually(async () => {
    await look()
    return shown.count()
  }).toBe(1)
  await button(pages[0], '保存').click()
  await pages[0].getByText('数据已被他人修改').waitFor()
  await eventually(() => kept()).toEqual([{ content: expect.stringContaining('先存的') }])
  await button(pages[0], '以我的为准保存').click()
  await eventually(kept).toEqual([{ content: expect.stringContaining('先写的') }])
})
