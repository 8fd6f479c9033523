import { painting } from './notify.ts'

type Question = { title: string; text?: string; yes?: string; no?: string; danger?: boolean }

const open = new Set<() => void>()

/** Takes every question off the screen, unanswered: each is a no. */
export const dropQuestions = (): void => {
  for (const drop of open) drop()
}

/** Resolves true when the person agreed; closing by Esc is a no. */
export const confirm = ({ title, text, yes, no, danger = false }: Question): Promise<boolean> =>
  new Promise((resolve) => {
    const painter = painting()
    if (!painter) return resolve(false)
    const { destroy } = painter.modal.confirm({
      title,
      afterClose: () => open.delete(drop),
      content: text,
      ...(yes && { okText: yes }),
      ...(no && { cancelText: no }),
      okButtonProps: { danger },
      onOk: () => resolve(true),
      onCancel: () => resolve(false),
    })
    const drop = () => {
      destroy()
      resolve(false)
    }
    open.add(drop)
  })
