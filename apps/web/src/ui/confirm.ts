import type { ReactNode } from 'react'
import { captureFocus } from './overlay/focus.ts'
import { getMessageApi } from './notify.ts'

type Question = { title: string; text?: string; yes?: string; no?: string; danger?: boolean }

/** SPEC 4's results of a dialog: agreed, with what was put in; the cancel button; closed by Esc or with what it was about. */
export type DialogResult = { result: 'confirm'; value: string } | { result: 'cancel' } | { result: 'close' }

const open = new Set<() => void>()

/** Takes every question off the screen, unanswered: each is closed. */
export const closeDialogs = (): void => {
  for (const drop of open) drop()
}

/**
 * Asks in a dialog of its own.
 * @param form in place of the text and of the buttons: it ends the dialog by calling `end`.
 */
export const openDialog = (
  { title, text, yes, no, danger = false }: Question,
  form?: (end: (answer: DialogResult) => void) => ReactNode,
): Promise<DialogResult> =>
  new Promise((resolve) => {
    const painter = getMessageApi()
    if (!painter) return resolve({ result: 'close' })
    const end = (answer: DialogResult) => {
      destroy()
      resolve(answer)
    }
    const drop = () => end({ result: 'close' })
    open.add(drop)
    const giveBack = captureFocus()
    let pressed = false
    const { destroy } = painter.modal.confirm({
      title,
      afterClose: () => {
        open.delete(drop)
        giveBack()
      },
      content: form?.(end) ?? text,
      ...(form && { footer: null }),
      ...(yes && { okText: yes }),
      ...(no && { cancelText: no }),
      okButtonProps: { danger },
      cancelButtonProps: { onClick: () => (pressed = true) },
      onOk: () => resolve({ result: 'confirm', value: '' }),
      // The kit says so for the button and for Esc alike, and of the button a moment before its press.
      onCancel: () => queueMicrotask(() => resolve({ result: pressed ? 'cancel' : 'close' })),
    })
  })

/** Resolves true when the person agreed. */
export const confirm = async (asked: Question): Promise<boolean> => (await openDialog(asked)).result === 'confirm'
