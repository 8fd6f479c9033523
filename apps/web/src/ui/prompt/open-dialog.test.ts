import { expect, it, vi } from 'vitest'
import { openDialog, confirm, closeDialogs } from '../confirm.ts'
import { setMessageApi } from '../notify.ts'

type Dialog = Parameters<Parameters<typeof setMessageApi>[0]['modal']['confirm']>[0]

vi.stubGlobal('requestAnimationFrame', () => 0)
vi.stubGlobal('document', { querySelectorAll: () => [] })

/** The open dialogs; antd's rendering is covered by browser tests. */
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
const value = { title: '是否删除数据？' }

it('closes at once while nothing can be rendered', async () => {
  expect(await openDialog(value)).toEqual({ result: 'close' })
  // Only what a question needs of antd.
  setMessageApi({ modal } as unknown as Parameters<typeof setMessageApi>[0])
})

it('reports whether the user confirmed, cancelled, or closed the dialog', async () => {
  const agreed = openDialog(value)
  last().onOk?.()
  expect(await agreed).toEqual({ result: 'confirm', value: '' })

  const cancelled = openDialog(value)
  last().onCancel?.()
  last().cancelButtonProps?.onClick?.({} as never)
  expect(await cancelled).toEqual({ result: 'cancel' })

  const closed = openDialog(value)
  last().onCancel?.()
  expect(await closed).toEqual({ result: 'close' })
})

it('closes when its page is covered', async () => {
  const [first, second] = [openDialog(value), confirm(value)]
  closeDialogs()
  expect(await first).toEqual({ result: 'close' })
  expect(await second).toBe(false)
})

it('confirms a plain question by its button alone', async () => {
  const agreed = confirm(value)
  last().onOk?.()
  expect(await agreed).toBe(true)
})

it('returns the input of its form', async () => {
  const answer = openDialog(value, (end) => {
    queueMicrotask(() => end({ result: 'confirm', value: '东校区' }))
    return null
  })
  expect(last().footer).toBe(null)
  expect(await answer).toEqual({ result: 'confirm', value: '东校区' })
})
