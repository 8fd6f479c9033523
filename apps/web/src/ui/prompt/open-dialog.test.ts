import { expect, it, vi } from 'vitest'
import { openDialog, confirm, closeDialogs } from '../confirm.ts'
import { setMessageApi } from '../notify.ts'

type Dialog = Parameters<Parameters<typeof setMessageApi>[0]['modal']['confirm']>[0]

vi.stubGlobal('requestAnimationFrame', () => 0)
vi.stubGlobal('document', { querySelectorAll: () => [] })

/** The dialogs on the screen; the kit's own are drawn, which the browser tests look at. */
const shown: Dialog[] = []
const modal = {
  confirm: (dialog: Dialog) => {
    shown.push(dialog)
    return { destroy: () => dialog.afterClose?.() }
  },
}
const last = () => {
  const dialog = shown.at(-1)
  if (!dialog) throw new Error('nothing was asked')
  return dialog
}
const asked = { title: '是否删除数据？' }

it('closes at once while nothing can be painted', async () => {
  expect(await openDialog(asked)).toEqual({ result: 'close' })
  // Only what a question needs of the kit.
  setMessageApi({ modal } as unknown as Parameters<typeof setMessageApi>[0])
})

it('tells whether somebody agreed, pressed the cancel button, or closed the dialog', async () => {
  const agreed = openDialog(asked)
  last().onOk?.()
  expect(await agreed).toEqual({ result: 'confirm', value: '' })

  const cancelled = openDialog(asked)
  last().onCancel?.()
  last().cancelButtonProps?.onClick?.({} as never)
  expect(await cancelled).toEqual({ result: 'cancel' })

  const closed = openDialog(asked)
  last().onCancel?.()
  expect(await closed).toEqual({ result: 'close' })
})

it('is closed when its page is covered', async () => {
  const [one, other] = [openDialog(asked), confirm(asked)]
  closeDialogs()
  expect(await one).toEqual({ result: 'close' })
  expect(await other).toBe(false)
})

it('agrees to a plain question by its button alone', async () => {
  const agreed = confirm(asked)
  last().onOk?.()
  expect(await agreed).toBe(true)
})

it('gives back what was put into its form', async () => {
  const answer = openDialog(asked, (end) => {
    queueMicrotask(() => end({ result: 'confirm', value: '东校区' }))
    return null
  })
  expect(last().footer).toBe(null)
  expect(await answer).toEqual({ result: 'confirm', value: '东校区' })
})
