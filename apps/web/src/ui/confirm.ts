import { holdFocus } from './above/focus.ts'
import { painting } from './notify.ts'

type Question = { title: string; text?: string; yes?: string; no?: string; danger?: boolean }

const open = new Set<() => void>()

/** Takes every question off the screen, unanswered: each is a no. */
export const dropQuestions = (): void => {
  for (const drop of open) drop()
}

/** A question that stands on the screen until `drop`. @returns what is called when it is gone. */
export const holdQuestion = (drop: () => void): (() => void) => {
  open.add(drop)
  return () => void open.delete(drop)
}

/** Resolves true when the person agreed; closing by Esc is a no. */
export const confirm = ({ title, text, yes, no, danger = false }: Question): Promise<boolean> =>
  new Promise((resolve) => {
    const painter = painting()
    if (!painter) return resolve(false)
    const drop = () => {
      destroy()
      resolve(false)
    }
    const gone = holdQuestion(drop)
    const giveBack = holdFocus()
    const { destroy } = painter.modal.confirm({
      title,
      afterClose: () => {
        gone()
        giveBack()
      },
      content: text,
      ...(yes && { okText: yes }),
      ...(no && { cancelText: no }),
      okButtonProps: { danger },
      onOk: () => resolve(true),
      onCancel: () => resolve(false),
    })
  })
