import type { ReactNode } from 'react'
import { captureFocus } from './overlay/focus.ts'
import { getMessageApi } from './notify.ts'

type Question = { title: string; text?: string; yes?: string; no?: string; danger?: boolean }

/**
 * The results of a dialog (SPEC 4): confirmed, with its input; cancelled by the button; closed by Esc or with its
 * subject.
 */
export type DialogResult = { result: 'confirm'; value: string } | { result: 'cancel' } | { result: 'close' }

const open = new Set<() => void>()

/** Closes every open question without an answer. */
export const closeDialogs = (): void => {
  for (const drop of open) drop()
}

/**
 * Asks in its own dialog.
 * @param form in place of text and buttons: it ends the dialog by calling `end`.
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
      // antd calls this for the button and for Esc alike, for the button a moment before its click.
      onCancel: () => queueMicrotask(() => resolve({ result: pressed ? 'cancel' : 'close' })),
    })
  })

/** Resolves true when the user confirmed. */
export const confirm = async (question: Question): Promise<boolean> => (await openDialog(question)).result === 'confirm'
