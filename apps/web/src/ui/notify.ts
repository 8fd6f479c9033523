import type { App } from 'antd'

type MessageApi = Pick<ReturnType<typeof App.useApp>, 'message' | 'notification' | 'modal'>

let painter: MessageApi | undefined

/** The shell provides antd's functions once they are inside the theme and the language. */
export const setMessageApi = (given: MessageApi): void => {
  painter = given
}

export const getMessageApi = (): MessageApi | undefined => painter

/** Removes all messages from the screen. */
export const dismissAll = (): void => {
  painter?.message.destroy()
  painter?.notification.destroy()
}

/** SPEC 9: a toast 3 s, a notification 4.5 s; both set where the functions are created. The same text is one toast. */
export const notify = {
  success: (text: string): void => void painter?.message.success({ content: text, key: text }),
  info: (text: string): void => void painter?.message.info({ content: text, key: text }),
  error: (text: string): void => void painter?.message.error({ content: text, key: text }),
  warning: (text: string): void => void painter?.message.warning({ content: text, key: text }),
  notification: (title: string, description?: string): void =>
    painter?.notification.error({ title, key: title, ...(description && { description }) }),
}
