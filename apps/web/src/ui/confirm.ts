import { painting } from './notify.ts'

type Question = { title: string; text?: string; yes?: string; no?: string; danger?: boolean }

/** Resolves true when the person agreed; closing by Esc is a no. */
export const confirm = ({ title, text, yes, no, danger = false }: Question): Promise<boolean> =>
  new Promise((resolve) => {
    const painter = painting()
    if (!painter) return resolve(false)
    painter.modal.confirm({
      title,
      content: text,
      ...(yes && { okText: yes }),
      ...(no && { cancelText: no }),
      okButtonProps: { danger },
      onOk: () => resolve(true),
      onCancel: () => resolve(false),
    })
  })
