import { Modal, type ModalProps } from 'antd'
import { useEffect, useRef, useState } from 'react'
import { focusFirstIn, useReturnFocus } from './overlay/focus.ts'

/** Rendered in the dialog, so that it exists with it. */
const Begin = () => {
  const here = useRef<HTMLSpanElement>(null)
  useEffect(() => {
    const dialog = here.current?.closest('[role="dialog"]')
    if (dialog) focusFirstIn(dialog)
  }, [])
  return <span ref={here} hidden />
}

const Shown = ({ children, ...props }: ModalProps) => {
  useReturnFocus()
  return (
    <Modal open destroyOnHidden {...props}>
      {children}
      <Begin />
    </Modal>
  )
}

/**
 * The only modal of the console. An open antd Modal inside a hidden React Activity breaks on its return (libraries 0.4,
 * trap 3): effects end when a page hides, so the modal is removed then and restored with the page.
 */
export const AppModal = ({ open = true, ...rest }: ModalProps) => {
  const [shown, setShown] = useState(false)
  useEffect(() => {
    let here = true
    queueMicrotask(() => here && setShown(true))
    return () => {
      here = false
      setShown(false)
    }
  }, [])
  return open && shown ? <Shown {...rest} /> : null
}
